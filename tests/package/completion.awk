# completion.awk -v shell=SHELL -v commands=NAMES - write what completes the
# options of commands, and the words that they take, in bash, zsh or fish.  Input
# is what they print for --help, so there is no second list to keep.

# Text within '' for the shell; zsh's _arguments wants more left as it is.
function quoted(text) {
	if (shell == "zsh") {
		gsub(/\\|:|\[|\]/, "\\\\&", text)
		gsub(/'/, "'\\''", text)
	} else
		gsub(/\\|'/, "\\\\&", text)
	return text
}

# The words that an option takes, where its help ends in a list of nothing else
# but remarks: `report (default), skip or stop`.
function words_of(help) {
	gsub(/ \([^)]*\)/, "", help)
	sub(/^.*: /, "", help)
	gsub(/, | or /, "|", help)
	if (help !~ /^[a-z][a-z0-9]*(\|[a-z][a-z0-9]*)+$/)
		return ""
	gsub(/\|/, " ", help)
	return help
}

# After a colon the words, for an option that has `=` behind it or not.
function bash_option(    i, n, word) {
	options = options (letter == "" ? "" : " -" letter) " --" name
	n = split(words, word)
	for (i = 1; i <= n; i++) {
		values = values " --" name "=:" word[i]
		if (!optional)
			values = values " --" name ":" word[i]
		if (!optional && letter != "")
			values = values " -" letter ":" word[i]
	}
}

# As zshcompsys(1) has it for _arguments.
function zsh_option() {
	rest = "[" quoted(help) "]"
	if (arg != "")
		rest = rest (optional ? "::" : ":") arg ":" \
		    (is_file ? "_files" : words == "" ? " " : "(" words ")")
	if (letter != "")
		printf "\t'*-%s%s%s'\n", letter, arg == "" ? "" : "+", rest
	printf "\t'*--%s%s%s'\n", name,
	    optional ? "=-" : arg == "" ? "" : "=", rest
}

function fish_option() {
	printf "complete -c %s%s -l %s%s%s -d '%s'\n", command,
	    letter == "" ? "" : " -s " letter, name,
	    arg == "" || optional ? "" : is_file ? " -rF" : " -x",
	    words == "" ? "" : (optional ? " -f" : "") " -a '" words "'",
	    quoted(help)
}

function end_command() {
	if (command == "")
		return
	if (shell == "bash")
		printf "\t%s)\n\t\toptions='%s'\n\t\tvalues='%s' ;;\n", command,
		    options, values
	options = values = ""
	if (shell == "zsh")
		printf "\t'*: :%s') ;;\n",
		    takes_named ? "{compset -P \"*=\"; _files}" : "_files"
}

BEGIN {
	if (shell == "zsh")
		print "#compdef " commands
	print "# " shell " completion for tupletools, made from --help"
	if (shell == "bash")
		printf "_tupletools() {\n\tlocal options= values=\n" \
		    "\tlocal option=$3 word=$2\n\tCOMPREPLY=()\n" \
		    "\t# Behind -- there are no options.\n" \
		    "\t[[ \" ${COMP_WORDS[*]:1:COMP_CWORD-1} \" != *\" -- \"* ]] ||" \
		    " return 0\n\tcase ${1##*/} in\n"
	if (shell == "zsh")
		print "local -a options\ncase $service in"
}

/^usage: / {
	end_command()
	command = $2
	takes_named = /NAME=FILE/
	if (shell == "zsh")
		print command ") options=("
}

/^(  |      )-/ {
	sub(/^ */, "")
	match($0, /   */)
	head = substr($0, 1, RSTART - 1)
	help = substr($0, RSTART + RLENGTH)
	letter = head ~ /^-[^-]/ ? substr(head, 2, 1) : ""
	match(head, /--[a-z-]+/)
	name = substr(head, RSTART + 2, RLENGTH - 2)
	arg = substr(head, RSTART + RLENGTH)
	optional = arg ~ /^\[/
	gsub(/[^A-Z|]/, "", arg)
	is_file = arg == "FILE"
	words = arg == "" ? "" : words_of(help)
	if (shell == "bash")
		bash_option()
	if (shell == "zsh")
		zsh_option()
	if (shell == "fish")
		fish_option()
}

END {
	end_command()
	if (shell == "bash") {
		print "\tesac"
		print "\t# bash takes --name=word apart."
		print "\t[[ ${COMP_WORDS[COMP_CWORD]} != = ]] ||" \
		    " option+== word="
		print "\t[[ $3 != = ]] || option=${COMP_WORDS[COMP_CWORD - 2]}="
		print "\tmapfile -t COMPREPLY < \\"
		print "\t    <(compgen -W \"$values\" -- \"$option:$word\")"
		print "\tCOMPREPLY=(\"${COMPREPLY[@]#*:}\")"
		print "\t[[ $2 != -* ]] || mapfile -t COMPREPLY < \\"
		print "\t    <(compgen -W \"$options\" -- \"$2\")\n}"
		print "complete -o default -F _tupletools " commands
	}
	if (shell == "zsh")
		print "esac\n_arguments -s -S : $options"
}
