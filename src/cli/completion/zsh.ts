import { LIST_NAMES, type CompletedArgument, type CompletedCommand } from './completed.ts';

/** A script for zsh: a file of the fpath, or sourced after compinit. */
export function zshScript(commands: readonly CompletedCommand[]): string {
  const [list, options] = LIST_NAMES;
  return `#compdef toolwright
# toolwright completion zsh > "\${fpath[1]}/_toolwright"
_toolwright() {
  local context state state_descr line
  typeset -A opt_args
  local -a commands names
  commands=(
${commands.map(({ name, summary }) => `    '${name}:${quoted(summary)}'`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  local command="\${words[2]}" target
  shift words
  (( CURRENT-- ))
  case "$command" in
${commands.map((command) => `    ${command.name}) _arguments -C ${specsOf(command).join(' ')} ;;`).join('\n')}
  esac
  if [[ "$state" == names ]]; then
    target="\${(Q)line[1]}"
    if [[ "$target" == '~/'* ]]; then target="$HOME/\${target#'~/'}"; fi
    if [[ -f "\${target%\\#*}" || -f "$target" ]]; then
      names=(\${(f)"$(${list} "$target" ${options} 2> /dev/null)"})
      compadd -a names
    fi
  fi
}
if [ "$funcstack[1]" = "_toolwright" ]; then _toolwright "$@"; else compdef _toolwright toolwright; fi`;
}

function specsOf({ options, arguments: args }: CompletedCommand): readonly string[] {
  return [
    ...options.flatMap(({ names, summary, takesValue, choices }) => {
      const value = takesValue ? `:value:${choices.length === 0 ? '_files' : `(${choices.join(' ')})`}` : '';
      // With a star, because some may be repeated
      return names.map((name) => `'*${name}[${quoted(summary)}]${value}'`);
    }),
    ...args.map((argument, place) => `'${String(place + 1)}:argument:${actionOf(argument)}'`),
    "'*:argument:_files'",
  ];
}

function actionOf(argument: CompletedArgument): string {
  if (argument.kind === 'choices') return `(${argument.choices.join(' ')})`;
  return argument.kind === 'names' ? '->names' : '_files';
}

function quoted(text: string): string {
  return text.replaceAll("'", "'\\''").replaceAll(/[[\]:]/g, '\\$&');
}
