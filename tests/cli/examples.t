#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The examples of layoutcheck(1) run as they stand there, on a kernel of one file, in a repository
# with a history.
. "$(dirname "$0")/../lib.sh"
need clang ld.lld git xmllint

mkdir "$T/bin" "$T/linux"
ln -s "$LAYOUTCHECK" "$T/bin/layoutcheck"
PATH=$T/bin:$PATH
LAYOUTCHECK_RULES=$T/linux/rules # the kernel of one file has not what the other packs speak of
HOME=$T
GIT_CONFIG_NOSYSTEM=1
export PATH LAYOUTCHECK_RULES HOME GIT_CONFIG_NOSYSTEM
cd "$T/linux" || exit 1

cat >fdtable.c <<'END'
const char linux_banner[] = "Linux version 6.12.0 (someone@somewhere) #1 SMP";
struct fdtable {
	unsigned int max_fds;
	void **fd;
	unsigned long *close_on_exec, *open_fds, *full_fds_bits;
	struct { void *next, *func; } rcu;
};
struct files_struct {
	int count;
	_Bool resize_in_progress;
	struct { int lock; void *next, *prev; } resize_wait;
	struct fdtable *fdt, fdtab;
	int file_lock __attribute__((aligned(64)));
	unsigned int next_fd;
	unsigned long close_on_exec_init[1], open_fds_init[1], full_fds_bits_init[1];
	void *fd_array[64];
} init_files;
struct page_counter {
	long usage, failcnt;
} counter;
END
cat >Makefile <<'END'
vmlinux: fdtable.c
	clang --target=x86_64-linux-gnu -g -c fdtable.c
	ld.lld -m elf_x86_64 -e 0 -o vmlinux fdtable.o
END
mkdir -p rules/linux && cp "$SRC/rules/linux/files.yaml" rules/linux
commit() {
	git add . && git -c user.name=n -c user.email=e commit -qm "$1"
}
git init -q . && echo '*.o
vmlinux' >.gitignore && commit good
for i in 1 2 3; do
	echo "/* $i */" >>fdtable.c && commit "comment $i"
done
sed -i 's/ __attribute__((aligned(64)))//' fdtable.c && commit "bad: the lock moves"
echo '/* 4 */' >>fdtable.c && commit "comment 4"
ok "the repository is there" git rev-parse HEAD~5

tip=$(git rev-parse HEAD)
git checkout -q HEAD~5
ok "the kernel is built" make vmlinux

# The examples are the displayed lines of the section.
sed -n '/^\.Sh EXAMPLES/,/^\.Sh SEE/s/^\.Dl //p' "$SRC/man/layoutcheck.1" >"$T/examples"
while read -r example; do
	case $example in
	"layoutcheck check")
		if ! [ -r /sys/kernel/btf/vmlinux ]; then
			skip "$example" "the running kernel has no BTF"
			continue
		fi
		;;
	"git bisect"*)
		git bisect start "$tip" HEAD >"$T/bisect" 2>&1
		;;
	esac
	run sh -c "$example"
	is "$example: status" "$status" 0
	case $example in
	*"-o base.json"*) ok "the snapshot is written" test -s base.json ;;
	*"-o report.json"*) ok "the report is written" test -s report.json ;;
	*"-o layout.xml"*) ok "the report is written" xmllint --noout layout.xml ;;
	*) isnt "prints something" "$stdout" "" ;;
	esac
	case $example in
	"git bisect"*) like "finds the commit" "$stdout" 'bad: the lock moves' ;;
	*"--what-if"*) like "says what moves" "$stdout" 'failcnt' ;;
	*"show -C"*) like "draws by lines of 128" "$stdout" 'lines? of 128' ;;
	*"head") is "the ten largest" "$(wc -l <"$T/stdout" | xargs)" 3 ;;
	*" cu "*) like "names the object" "$stdout" '^fdtable.o: fdtable ' ;;
	esac
done <"$T/examples"
is "there were fourteen" "$(wc -l <"$T/examples" | xargs)" 14

done_testing
