import {
  LIST_NAMES,
  argumentPlaces,
  valuedOptions,
  type CompletedCommand,
  type CompletedArgument,
} from './completed.ts';

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
    ${argumentPlaces(commands, 'names').join('|')})
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

/** A script for fish. */
export function fishScript(commands: readonly CompletedCommand[]): string {
  const [list, options] = LIST_NAMES;
  return `# toolwright completion fish > ~/.config/fish/completions/toolwright.fish
function __toolwright_in -a command
    set -l words (commandline -opc)
    test "$words[2]" = "$command"
end
function __toolwright_arguments
    set -l words (commandline -opc)
    set -l command $words[2]
    set -l skips no
    for word in $words[3..]
        if test $skips = yes
            set skips no
            continue
        end
        switch "$command:$word"
            case ${valuedOptions(commands).map(quote).join(' ')}
                set skips yes
            case '*:-*'
            case '*'
                echo $word
        end
    end
end
function __toolwright_at -a command place
    __toolwright_in $command; and test (count (__toolwright_arguments)) -eq $place
end
function __toolwright_names
    set -l target (string replace -r '^~/' "$HOME/" -- (__toolwright_arguments)[1])
    test -f "$target"; or test -f (string replace -r '#[^#]*$' '' -- "$target"); or return
    ${list} "$target" ${options} 2>/dev/null
end
${commands.flatMap(linesOf).join('\n')}
${argumentPlaces(commands, 'names').map(namesAt).join('\n')}`;
}

const COMPLETE = 'complete -c toolwright -n';

function linesOf({ name, summary, options, arguments: args }: CompletedCommand): readonly string[] {
  return [
    `${COMPLETE} __fish_use_subcommand -f -a ${name} -d ${quote(summary)}`,
    ...args.flatMap((argument, place) =>
      argument.kind === 'choices'
        ? [
            `${COMPLETE} '__toolwright_at ${name} ${String(place)}' -f -a ${quote(argument.choices.join(' '))}`,
          ]
        : [],
    ),
    ...options.map(({ names, summary: what, takesValue, choices }) => {
      const flags = names.map((each) =>
        each.startsWith('--') ? `-l ${each.slice(2)}` : `-s ${each.slice(1)}`,
      );
      const value = choices.length === 0 ? ' -r -F' : ` -x -a ${quote(choices.join(' '))}`;
      return `${COMPLETE} '__toolwright_in ${name}' ${flags.join(' ')}${takesValue ? value : ''} -d ${quote(what)}`;
    }),
  ];
}

function namesAt(commandAndPlace: string): string {
  return `${COMPLETE} '__toolwright_at ${commandAndPlace.replace(':', ' ')}' -f -a '(__toolwright_names)'`;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** A script for PowerShell, which completes files by itself where this gives nothing. */
export function powershellScript(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(({ name, options, arguments: args }) => {
    const values = args.flatMap((argument) => (argument.kind === 'choices' ? argument.choices : []));
    const words = [...values, ...options.flatMap(({ names }) => names)];
    return `    '${name}' { @(${words.map((each) => `'${each}'`).join(', ')}) }`;
  });
  return `# toolwright completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName toolwright -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $elements = @($commandAst.CommandElements | ForEach-Object { $_.ToString() })
  $isFirst = $elements.Count -lt 2 -or ($elements.Count -eq 2 -and $wordToComplete -ne '')
  $words = if ($isFirst) { @(${commands.map(({ name }) => `'${name}'`).join(', ')}) } else { switch ($elements[1]) {
${cases.join('\n')}
  } }
  $words | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}`;
}
