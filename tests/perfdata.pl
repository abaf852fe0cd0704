#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tests/perfdata.pl FILE <SCENARIO: writes a perf.data as `perf c2c record` does, one event, little-endian. A line of the
# scenario is one of
#
#	map PID START LEN PGOFF PATH		a process maps a file; pid -1, a kernel's text
#	share PID START LEN PGOFF PATH INODE	a process maps a file as shared; own: as private
#	build_id PID HEX PATH			what a file was
#	cpu N					samples that follow are of this CPU
#	at NS					and begin at this time, a microsecond each
#	pid N
#	N WHAT IP ADDRESS			N samples: load, load-l1, hitm, remote-hitm, store, store-miss
#
# Numbers are decimal or 0x hexadecimal. Format: perf's Documentation/perf.data-file-format.txt.
use strict;
use warnings;
no warnings 'portable';

my ($file) = @ARGV or die "usage: perfdata.pl FILE <SCENARIO\n";
my ($cpu, $time, $pid) = (0, 1_000_000, 1);
my ($data, $build_ids) = ('', '');

# op, level and snoop of data_src: load 2, store 4; hit 2, miss 4, L1 8, L3 0x40, remote cache 0x400; HITM 0x10.
my %what = (
	'load' => 2 | (2 | 0x40) << 5,
	'load-l1' => 2 | (2 | 8) << 5,
	'hitm' => 2 | (2 | 0x40) << 5 | 0x10 << 19,
	'remote-hitm' => 2 | (2 | 0x400) << 5 | 0x10 << 19,
	'store' => 4 | (2 | 8) << 5,
	'store-miss' => 4 | (4 | 8) << 5,
);

sub number {
	my ($text) = @_;

	defined $text or die "line $.: a number is missing\n";
	return $text =~ /^0x/ ? hex $text : $text;
}

sub padded {
	my ($name) = @_;

	$name .= "\0";
	return $name . "\0" x (-length($name) & 7);
}

sub record {
	my ($type, $misc, $body) = @_;

	return pack('V v v', $type, $misc, 8 + length $body) . $body;
}

while (<STDIN>) {
	s/#.*//;
	my @word = split or next;
	if ($word[0] eq 'map') {
		my $body = pack('l< l< Q< Q< Q<', $word[1], $word[1], map { number($_) } @word[2 .. 4]);
		$data .= record(1, $word[1] < 0 ? 1 : 2, $body . padded($word[5]));
	} elsif ($word[0] eq 'share' || $word[0] eq 'own') {
		my $body = pack('l< l< Q< Q< Q<', $word[1], $word[1], map { number($_) } @word[2 .. 4]);
		$body .= pack('V V Q< Q< V V', 0, 0x1a, $word[6], 1, 3, $word[0] eq 'share' ? 1 : 2);
		$data .= record(10, 2, $body . padded($word[5]));
	} elsif ($word[0] eq 'build_id') {
		my $body = pack('l< a24', $word[1], pack('H*', $word[2])) . padded($word[3]);
		$build_ids .= record(0, $word[1] < 0 ? 1 : 2, $body);
	} elsif ($word[0] eq 'cpu') {
		$cpu = $word[1];
	} elsif ($word[0] eq 'at') {
		$time = $word[1];
	} elsif ($word[0] eq 'pid') {
		$pid = $word[1];
	} else {
		my ($n, $what, $ip, $address) = @word;
		my $misc = number($ip) >> 63 ? 1 : 2;
		defined $what{$what} or die "line $.: what is `$what`?\n";
		for (1 .. $n) {
			$data .= record(9, $misc, pack('Q< V V Q< Q< V V Q<', number($ip), $pid, $pid, $time, number($address), $cpu, 0, $what{$what}));
			$time += 1000;
		}
	}
}

# perf_event_attr: a raw event; IP, TID, TIME, ADDR, CPU, DATA_SRC; the mmap bit.
my $sample_type = 1 | 2 | 4 | 8 | 1 << 7 | 1 << 15;
my $attr = pack('V V Q< Q< Q< Q< Q<', 4, 112, 0x1cd, 1, $sample_type, 0, 1 << 8) . "\0" x 64;
my $header = 104;
my $attrs = $attr . pack('Q< Q<', 0, 0);
my $begin = $header + length $attrs;
my $end = $begin + length $data;
my $features = $build_ids ne '' ? 1 << 2 : 0;

open my $out, '>:raw', $file or die "$file: $!\n";
print $out 'PERFILE2', pack('Q< Q< Q< Q< Q< Q< Q< Q< Q< Q< Q< Q<', $header, length $attrs, $header, length $attrs, $begin, length $data, 0, 0,
	$features, 0, 0, 0), $attrs, $data;
print $out pack('Q< Q<', $end + 16, length $build_ids), $build_ids if $features;
close $out or die "$file: $!\n";
