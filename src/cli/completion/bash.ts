import { LIST_NAMES, placesOf, valuedOptions, type CompletedCommand } from './completed.ts';

/** A script for bash, which completes files by itself where nothing else is offered. It needs no package. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  const [list, options] = LIST_NAMES;
  return `# toolwright completion bash: source it, or write it to a file of bash-completion
_toolwright() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}"
  local place=0 target="" words="" index word
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} --help --version" -- "$current"))
    return
  fi
  case "$command:$previous" in
${optionChoices(commands).join('\n')}
    ${valuedOptions(commands).join('|')}) return ;;
  esac
  compopt +o default 2> /dev/null
  if [[ "$current" == -* ]]; then
    case "$command" in
${commands.map(({ name, options: known }) => `      ${name}) words="${known.flatMap(({ names }) => names).join(' ')}" ;;`).join('\n')}
    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  for ((index = 2; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "$command:$word" in
      ${valuedOptions(commands).join('|')}) ((index++)) ;;
      *:-*) ;;
      *) if ((place++ == 0)); then target="$word"; fi ;;
    esac
  done
  case "$command:$place" in
${argumentChoices(commands).join('\n')}
    ${placesOf(commands, 'names').join('|')})
      # As the shell would read the word, unless that could run something
      if [[ "$target" != *[\\$\\\`\\;\\&\\|\\<\\>\\(\\)]* ]]; then eval "target=$target" 2> /dev/null; fi
      if [[ -f "\${target%#*}" || -f "$target" ]]; then
        # Not by compgen -W, which expands what it gets
        while IFS= read -r word; do
          if [[ "$word" == "$current"* ]]; then COMPREPLY+=("$word"); fi
        done < <(${list} "$target" ${options} 2> /dev/null)
      fi ;;
    *) compopt -o default 2> /dev/null ;;
  esac
}
complete -o default -F _toolwright toolwright`;
}

function optionChoices(commands: readonly CompletedCommand[]): readonly string[] {
  return commands
    .flatMap(({ name, options }) =>
      options
        .filter(({ choices }) => choices.length > 0)
        .map(
          ({ names, choices }) =>
            `${names.map((each) => `${name}:${each}`).join('|')}) ${reply(choices)}; return ;;`,
        ),
    )
    .map((line) => `    ${line}`);
}

function argumentChoices(commands: readonly CompletedCommand[]): readonly string[] {
  return commands.flatMap(({ name, arguments: args }) =>
    args.flatMap((argument, place) =>
      argument.kind === 'choices' ? [`    ${name}:${String(place)}) ${reply(argument.choices)} ;;`] : [],
    ),
  );
}

function reply(choices: readonly string[]): string {
  return `COMPREPLY=($(compgen -W "${choices.join(' ')}" -- "$current"))`;
}
