export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** The first argument by which the scripts ask thatch what could come next. It is no command that a person types. */
export const PROPOSE = "__complete";

const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `_thatch() {
  local IFS=$'\\n'
  COMPREPLY=($(thatch ${PROPOSE} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _thatch thatch
`,
  zsh: `#compdef thatch
_thatch() {
  local -a proposals
  proposals=("\${(@f)$(thatch ${PROPOSE} "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a proposals
}
compdef _thatch thatch
`,
  fish: `complete -c thatch -f -a '(thatch ${PROPOSE} (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`,
};

/** A script that makes the shell ask thatch itself what could come next. */
export function completionScript(shell: Shell): string {
  return SCRIPTS[shell];
}
