#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# layoutcheck record when it goes wrong: one sentence, no recording, no process and no directory left.
# The emulator is a script here; what a real one records is in tests/record/.
. "$(dirname "$0")/../lib.sh"
need gcc perl

# ---- a kernel and an emulator of our own

cat >"$T/vmlinux.c" <<'END'
struct task_struct { long state; int pid, tgid; char comm[16]; } task;
const char linux_banner[] = "Linux version 6.1.0 (a@b) (gcc) #1 SMP test\n";
unsigned long __per_cpu_offset[2], page_offset_base = 0xffff888000000000;
void *current_task;
void _start(void) {}
END
gcc -g -nostdlib -static -Wl,--build-id=0x1234 -o "$T/vmlinux-6.1.0" "$T/vmlinux.c" || exit 1
bzimage() {
	perl -e 'my $i = "\0" x 0x400; substr($i, 0x202, 4) = "HdrS"; substr($i, 0x20e, 1) = "\x10";
		substr($i, 0x210, length $ARGV[0]) = $ARGV[0]; print $i' "$1"
}
bzimage "6.1.0 (a@b) #1 SMP test" >"$T/vmlinuz"

# What it does is in $FAKE; the files it would write are found in its arguments.
mkdir "$T/bin"
cat >"$T/bin/qemu-system-x86_64" <<'END'
#!/bin/sh
echo $$ >"$PIDS"
printf '%s\n' "$@" >"$PIDS.words"
for word; do
	case $word in
	file,id=status,path=*) status=${word#*path=} ;;
	memory-backend-file*) ram=${word##*mem-path=} ;;
	esac
done
: >"$ram"
say() { printf '%s\n' "$@" >>"$status"; }
case $FAKE in
panic) echo '[    1.0] Kernel panic - not syncing: Attempted to kill init!' ;;
hang) say 'build-id 1234' run; sleep 100 & wait ;;
slow) sleep 100 ;;
quiet) say 'build-id 1234' run 'exit 0' done ;;
other) say 'build-id 5678' run; sleep 100 ;;
full) kill -BUS $$ ;;
plugin) echo 'layoutcheck-tcg: trace: No space left on device' >&2; exit 1 ;;
stuck) say 'error /proc: Invalid argument'; sleep 100 ;;
gone) echo 'reboot: System halted' ;;
broken) echo 'qemu: bad option' >&2; exit 1 ;;
esac
END
chmod +x "$T/bin/qemu-system-x86_64"
PATH=$T/bin:$PATH
PIDS=$T/pids
TMPDIR=$T/tmp
LAYOUTCHECK_KERNELS=$T/kernels
export PATH PIDS TMPDIR LAYOUTCHECK_KERNELS FAKE
mkdir "$TMPDIR" "$LAYOUTCHECK_KERNELS"

# left: what the last run left behind that it should not have.
left() {
	find "$TMPDIR" -mindepth 1
	[ ! -e "$T/perf.data" ] || echo perf.data
	[ ! -e "$PIDS" ] || ! kill -0 "$(cat "$PIDS")" 2>/dev/null || echo "process $(cat "$PIDS")"
}

# fails_as NAME FAKE ERE [OPTION]...
fails_as() {
	name=$1
	FAKE=$2
	wanted=$3
	shift 3
	rm -f "$PIDS" "$PIDS.words"
	run layoutcheck record --kernel "$T/vmlinuz" -o "$T/perf.data" "$@" -- /bin/true
	one_sentence "$name: one sentence"
	like "$name: which" "$stderr" "$wanted"
	is "$name: nothing is left" "$(left)" ""
}

fails_as "panic" panic "vmlinuz: the guest's kernel panicked: Attempted to kill init!$"
fails_as "a report of nothing" panic "the guest's kernel panicked" --report
fails_as "a workload that hangs" hang 'the workload did not end within 1 seconds' --time-limit 1
fails_as "a guest that hangs" slow 'the guest did not start the workload within 1 seconds' --time-limit 1
fails_as "no marks" quiet 'the workload set no marks' --marks
fails_as "a function that is not reached" quiet '`_start` was not reached' --from-symbol _start
fails_as "another build" other 'vmlinux-6.1.0: build id 1234, but that of the kernel is 5678$'
fails_as "no room for memory" full 'no room for the guest.s memory: TMPDIR names'
fails_as "no room for the trace" plugin 'record: trace: No space left on device$'
fails_as "a first process that cannot go on" stuck 'the guest could not go on: /proc: Invalid argument$'
fails_as "a guest that goes away" gone 'went away before the workload had ended; its last words: reboot: System halted$'
fails_as "an emulator that does not start" broken 'last words: qemu: bad option$'

# ---- what the emulator is told

fails_as "options that are passed on" quiet 'set no marks' --marks --append 'quiet,er x=1' --cpus 4 --memory 256 \
	--cache-lines 512 --quantum 77 --line 128
like "the kernel's words" "$(cat "$PIDS.words")" ' rdinit=/layoutcheck/init quiet,er x=1$'
like "the plugin's" "$(cat "$PIDS.words")" ',line=128,quantum=77,cache-lines=512,marks=1,user=0,percpu=0x'
like "the memory's" "$(cat "$PIDS.words")" '^memory-backend-file,id=ram,share=on,size=256M,mem-path=/'
printf 070701 >"$T/own"
fails_as "an initramfs of one's own" quiet 'set no marks' --marks --initramfs "$T/own"
fails_as "the end of a recording" quiet '`_start` was not reached' --to-symbol _start
like "is an address" "$(cat "$PIDS.words")" ',to=0x[0-9a-f]+,'
fails_as "a function that is not there" quiet 'vmlinux-6.1.0: has no symbol `nothing`' --to-symbol nothing
fails_as "a file that is not there" quiet 'nothing: cannot open' --add "$T/nothing"

# ---- ended by a signal

# As POSIX numbers them; what knows their names is not on every machine.
for pair in INT=2 TERM=15 HUP=1; do
	signal=${pair%=*} number=${pair#*=}
	rm -f "$PIDS"
	FAKE=hang
	env --default-signal="$signal" "$LAYOUTCHECK" record --kernel "$T/vmlinuz" -o "$T/perf.data" -- /bin/true \
		>"$T/stdout" 2>"$T/stderr" &
	pid=$!
	for _ in $(seq 100); do
		[ ! -s "$PIDS" ] || break
		sleep 0.05
	done
	kill -"$signal" "$pid"
	wait "$pid"
	is "SIG$signal: ends it" $? $((128 + number))
	is "SIG$signal: nothing is left" "$(left)" ""
done

# ---- kernels

bzimage "6.1.0 (a@b) #1 SMP other" >"$T/other"
FAKE=quiet
run layoutcheck record --kernel "$T/other" --vmlinux "$T/vmlinux-6.1.0" -o "$T/perf.data" -- /bin/true
one_sentence "a vmlinux of another build"
like "and which" "$stderr" 'vmlinux-6.1.0: not of the build of .*/other, which is 6.1.0 .* SMP other$'
mkdir "$T/alone"
bzimage "6.2.0 (a@b) #1 SMP test" >"$T/alone/vmlinuz"
run layoutcheck record --kernel "$T/alone/vmlinuz" -o "$T/perf.data" -- /bin/true
one_sentence "no vmlinux"
like "and where it comes from" "$stderr" "--vmlinux, or install Debian's linux-image-6.2.0-dbg$"
run layoutcheck record --kernel "$T/vmlinux.c" -o "$T/perf.data" -- /bin/true
one_sentence "no kernel"
is "nothing was left by these" "$(left)" ""

# ---- without an emulator

mkdir "$T/empty"
run env PATH="$T/empty" "$LAYOUTCHECK" record --kernel "$T/vmlinuz" -o "$T/perf.data" -- /bin/true
one_sentence "without QEMU"
like "its package is named" "$stderr" "qemu-system-x86_64 is not there: install Debian's qemu-system-x86$"
run env PATH="$T/empty" "$LAYOUTCHECK" record --user -o "$T/perf.data" -- /bin/true
one_sentence "without qemu-user"
like "its package, too" "$stderr" "qemu-x86_64 is not there: install Debian's qemu-user$"

mkdir "$T/plain"
printf '#!/bin/sh\nexit 1\n' >"$T/plain/qemu-x86_64"
chmod +x "$T/plain/qemu-x86_64"
run env PATH="$T/plain:$PATH" "$LAYOUTCHECK" record --user -o "$T/perf.data" -- /bin/true
one_sentence "a qemu-user that takes no plugin"
like "is named" "$stderr" '/bin/true: nothing of it was recorded: .*plain/qemu-x86_64 takes no plugins, as that of Debian 13$'

# ---- the command line

# refused NAME ERE [WORD]...
refused() {
	name=$1
	wanted=$2
	shift 2
	run layoutcheck record "$@"
	one_sentence "$name"
	like "$name: why" "$stderr" "$wanted"
}
refused "no workload" 'no program behind'
refused "one CPU" '`--cpus`: 1 is not from 2 to 16' --cpus 1 -- /bin/true
refused "a line of 32" '`--line`: 32 is neither 64 nor 128' --line 32 -- /bin/true
refused "too much memory" '`--memory`: 4096 is not from 128 to 3072' --memory 4096 -- /bin/true
refused "half a set of the cache" '`--cache-lines`: 12 is no multiple of 8' --cache-lines 12 -- /bin/true
refused "no quantum" '`--quantum`: 0 is not from' --quantum 0 -- /bin/true
refused "files beside an initramfs" '`--add`: --initramfs has all' --initramfs "$T/own" --add x -- /bin/true
refused "no time" '`--time-limit`: 0 is not from' --time-limit 0 -- /bin/true
refused "a report of what is not kept" '`--report`: --against keeps no recording' --report --against x -- /bin/true
refused "two runs" '`--runs`: 2 is not from 3 to 99' --runs 2 --against x -- /bin/true
refused "objects of a program" '`--objects` is about a kernel' --user --objects -- /bin/true
refused "a kernel for a program" '`--kernel` is about a kernel' --user --kernel x -- /bin/true
refused "two ends" 'give one of them' --marks --boot -- /bin/true

done_testing
