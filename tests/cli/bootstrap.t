#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# ./probe and ./bootstrap on machines where something is missing, which a pkg-config that finds
# nothing and an apt-get that only takes notes stand for. (.ci/run is the real thing.)
. "$(dirname "$0")/../lib.sh"

# Everything that is here, but what is missing on purpose.
mkdir "$T/bin" "$T/tree"
ln -s /usr/bin/* "$T/bin"
rm -f "$T/bin/apt-get" "$T/bin/sudo" "$T/bin/make" "$T/bin/id" "$T/bin/pkg-config"
cp bootstrap probe packages.txt "$T/tree"

fake() {
	rm -f "$T/bin/$1"
	cat >"$T/bin/$1"
	chmod +x "$T/bin/$1"
}
echo 'exit 1' | fake pkg-config
echo "echo \"\$USER_ID\"" | fake id
echo "echo \"make \$*\" >>'$T/log'" | fake make

# on USER_ID COMMAND...
on() {
	user_id=$1
	shift
	: >"$T/log"
	run env PATH="$T/bin" USER_ID="$user_id" PKG_CONFIG=pkg-config "$@"
}

on 0 "$T/tree/probe" build
is "probe fails when libraries are missing" "$status" 1
like "and names the package, in a sentence" "$stderr" \
	"^layoutcheck needs the library libelf: install Debian's libelf-dev, or run ./bootstrap$"
is "one a library" "$(echo "$stderr" | grep -c '^layoutcheck needs the library')" \
	"$(grep -c '^build .* module ' packages.txt)"
is "and gives make nothing to go on with" "$stdout" ""

on 0 env CC=false "$T/tree/probe" need build
like "a libdwarf that does not compile is missing" "$stderr" 'libdwarf-dev, or run ./bootstrap$'

on 0 "$T/tree/bootstrap" build
is "without apt-get, bootstrap gives up" "$status" 2
like "and says what to do" "$stdout$stderr" 'no apt-get here: install the above, then run make'
is "and does not build" "$(cat "$T/log")" ""

# Package lists are empty until the update. After the install, pkg-config works.
cat >"$T/apt-get.in" <<'END'
#!/bin/sh
echo "apt-get $*" >>"$T/log"
case " $* " in
*" update "*) touch "$T/updated" ;;
*" --simulate "*) [ -e "$T/updated" ] ;;
*" install "*) ln -sf /usr/bin/pkg-config "$T/bin/pkg-config" ;;
esac
END
sed "s|\$T|$T|g" "$T/apt-get.in" | fake apt-get

on 0 "$T/tree/bootstrap" build
is "as root, with empty lists" "$status" 0
like "it says what it installs" "$stdout" '^bootstrap: installing .*libelf-dev.*libmd-dev'
is "updates, installs, builds" "$(sed 's/ -.*//' "$T/log" | xargs echo)" \
	"apt-get apt-get apt-get make"
like "in this order" "$(sed -n 2p "$T/log")" ' update$'
like "with the packages" "$(sed -n 3p "$T/log")" ' install .*libelf-dev.*libmd-dev'

on 0 "$T/tree/bootstrap" build
is "a second time it only builds" "$(sed 's/ .*//' "$T/log" | xargs echo)" make

echo 'exit 1' | fake pkg-config
on 1000 "$T/tree/bootstrap" build
is "as a user without sudo, it gives up" "$status" 2
like "and gives the command" "$stderr" 'as root: apt-get install .*libelf-dev'

printf '#!/bin/sh\necho sudo >>"%s"\nexec "$@"\n' "$T/log" | fake sudo
on 1000 "$T/tree/bootstrap" build
is "as a user with sudo" "$status" 0
is "through sudo" "$(grep -c '^sudo' "$T/log")" 1

mkdir "$T/tmp"
on 0 env TMPDIR="$T/tmp" "$T/tree/bootstrap" build
is "bootstrap builds, and leaves nothing behind" "$status$(ls "$T/tmp")" 0

echo 'exit 1' | fake pkg-config
printf '#!/bin/sh\ncase " $* " in *" --simulate "*) exit 0 ;; esac\necho "E: no space left"\nexit 100\n' | fake apt-get
on 0 "$T/tree/bootstrap" build
is "an apt-get that fails fails the whole" "$status" 2
like "with what it said" "$stderr" 'E: no space left'
is "and nothing is built" "$(cat "$T/log")" ""

on 0 "$T/tree/bootstrap" nonsense
is "an unknown purpose" "$status $stderr" "2 bootstrap: packages.txt has nothing for 'nonsense'"

done_testing
