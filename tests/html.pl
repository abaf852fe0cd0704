#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tests/html.pl FILE [LINE]: holds an HTML report, which is known to be well-formed XML, to what it
# promises, and says what it breaks. It has no element, attribute and address but ours; and each box
# lies where the tip says that its member does, as wide as its bytes. LINE: bytes in a line, 64.
use strict;
use warnings;

my ($path, $line_bytes) = (@ARGV, 64);
open(my $file, '<', $path) or die "$path: $!\n";
my $page = do { local $/; <$file> };
my @wrong;

# ---- elements and attributes

my %attributes = (
	a => 'href', b => 'class tabindex style', body => '', br => '', code => 'class',
	details => 'class open', div => 'class', footer => '', h1 => '', h2 => '', h3 => '',
	head => '', header => 'class', html => 'xmlns lang', i => 'class', li => '', main => '',
	meta => 'charset http-equiv content name', nav => '', ol => 'class', p => 'class', pre => 'class',
	section => 'class id', span => 'class', style => '', summary => '', table => 'class',
	tbody => '', td => 'class', th => 'class colspan', thead => '', title => '', tr => 'class',
	ul => '', wbr => '',
);
my %ids;
$ids{$1}++ while $page =~ / id="([^"]*)"/g;
push @wrong, map { "the id $_ is there $ids{$_} times" } grep { $ids{$_} > 1 } sort keys %ids;
(my $markup = $page) =~ s/^<!DOCTYPE html>//;
while ($markup =~ /<([^\/][^\s>\/]*)([^>]*)>/g) {
	my ($element, $rest) = ($1, $2);
	push @wrong, "an element <$element>" unless defined $attributes{$element};
	while ($rest =~ /([^\s=]+)="([^"]*)"/g) {
		my ($name, $value) = ($1, $2);
		push @wrong, "<$element> has $name"
			unless " $attributes{$element} " =~ / \Q$name\E /;
		push @wrong, "an address $value" if $name eq 'href' && !$ids{$value =~ s/^#//r};
		push @wrong, "a style $value"
			if $name eq 'style' && $value !~ /^(margin-left:[0-9.e-]+%;)?width:[0-9.e-]+%;$/;
	}
}
push @wrong, 'no policy before all else' unless $page =~
	m{<head>\n<meta charset="utf-8"/>\n<meta http-equiv="Content-Security-Policy" content="default-src 'none';};
my ($style) = $page =~ m{<style>(.*?)</style>}s;
push @wrong, 'a style sheet that loads something' if !$style || $style =~ /url\(|\@import|\\|</i;
push @wrong, "a byte that is not printable" if $page =~ /[\0-\x08\x0b-\x1f\x7f]/;

# ---- boxes

my $line_bits = $line_bytes * 8;

# place TIP: the first bit and the number of bits that it tells.
sub place {
	my ($tip) = @_;
	return ($1 * 8, $2 * 8) if $tip =~ /offset (\d+), (\d+) bytes?\b/;
	return ($1 * 8 + $2, $3) if $tip =~ /offset (\d+), bit (\d+), (\d+) bits?\b/;
	die "a tip without a place: $tip\n";
}

# near A B: lengths in percent are rounded, to far less than a bit.
sub near {
	return abs($_[0] - $_[1]) < 0.01;
}

my $boxes = 0;
for ($page =~ m{<div class="(map(?: part)?">.*?)(?=<div class="map|\z)}gs) {
	my ($part, $map) = /^map( part)?">(.*)/s;
	my %bits;
	for my $line ($map =~ m{<div class="line[^"]*">(.*?)(?=<div class="line|\z)}gs) {
		my ($start, $same) = (0, 1);
		if ($line =~ m{^<span class="at"><i>lines </i>(\d+)<br/>to (\d+)</span>}) {
			($start, $same) = ($1 * $line_bits, $2 - $1 + 1);
		} elsif ($line =~ m{^<span class="at">(?:<i>line </i>(\d+)<br/>)?<i>at (?:</i>)?(-?\d+)(?:</i>)?</span>}) {
			$start = $2 * 8;
			push @wrong, "line $1 at $2" if defined $1 && $1 * $line_bytes != $2;
		} else {
			push @wrong, 'a line without a place: ' . substr($line, 0, 80);
		}
		for my $lane (split m{<div class="lane">}, $line) {
			my $at = $start;
			while ($lane =~ m{<b class="(box[^"]*)"[^>]* style="(?:margin-left:([\d.e-]+)%;)?width:([\d.e-]+)%;">.*?<span class="tip"><span><b>(.*?)</b></span><span>(.*?)</span>}g) {
				my ($class, $before, $width, $name, $tip) = ($1, $2 // 0, $3, $4, $5);
				my ($from, $size) = place($tip);
				$at += $before * $line_bits / 100;
				push @wrong, "$name is drawn at bit $at, not $from"
					if $class !~ / rest/ && !near($at, $from);
				$at += $width * $line_bits / 100;
				push @wrong, "$name ends at bit $at" if $class !~ / goes/ && !near($at, $from + $size);
				$bits{"$name at $from"}[0] = $size;
				$bits{"$name at $from"}[1] += $width * $line_bits / 100 * $same;
				$boxes++;
			}
			push @wrong, "a lane of $at bits from $start" if $at - $start > $line_bits + 0.01;
		}
	}
	# Of a part, the rest of a member may be on lines that are not drawn.
	for my $name ($part ? () : sort keys %bits) {
		my ($size, $drawn) = @{$bits{$name}};
		# Of one declaration at one place, in a union or a struct_group(), there can be two.
		push @wrong, "$name has $size bits, drawn are $drawn"
			unless $drawn > 0 && near($drawn / $size, int($drawn / $size + 0.5));
	}
}
print "$_\n" for @wrong;
print "# $boxes boxes\n";
exit(@wrong != 0);
