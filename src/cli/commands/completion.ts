import type { CommandSpec, OptionSpec, RunCommand } from '../command.ts';
import { COMMON_OPTIONS, notOneOf } from '../option-values.ts';
import { EXIT } from '../output/exit-codes.ts';

const SHELLS = { bash, zsh, fish, powershell } as const;

/** Writes a script that completes commands, options and their values. */
export const run: RunCommand = async ({ values: [shell = ''], commands }, terminal) => {
  if (!Object.hasOwn(SHELLS, shell)) throw notOneOf('toolwright completion', shell, Object.keys(SHELLS));
  terminal.print(SHELLS[shell as keyof typeof SHELLS](commands.map(completedOf)));
  return EXIT.done;
};

/** What can follow a command: options, and values of arguments that are listed. */
interface Completed {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly { readonly names: readonly string[]; readonly spec: OptionSpec }[];
  readonly values: readonly string[];
}

function completedOf({ name, summary, options, arguments: args }: CommandSpec): Completed {
  return {
    name,
    summary,
    options: [...options, ...COMMON_OPTIONS].map((spec) => ({ names: namesOf(spec), spec })),
    values: args.flatMap(({ choices = [] }) => choices),
  };
}

function namesOf({ flags }: OptionSpec): readonly string[] {
  return flags.match(/--?[a-z][\w-]*/gi) ?? [];
}

function bash(commands: readonly Completed[]): string {
  const cases = commands.map(({ name, options, values }) => {
    const words = [...values, ...options.flatMap(({ names }) => names), '--help'].join(' ');
    return `    ${name}) words="${words}" ;;`;
  });
  return `# toolwright completion bash: source it, or write it to a file of bash-completion
_toolwright() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} --help --version" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}:$previous" in
${bashChoices(commands)}
  esac
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ "$current" != -* ]]; then COMPREPLY+=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _toolwright toolwright`;
}

/** The values of options, by command and option. */
function bashChoices(commands: readonly Completed[]): string {
  const lines = commands.flatMap(({ name, options }) =>
    options.flatMap(({ names, spec: { choices } }) => {
      const places = names.map((option) => `${name}:${option}`).join('|');
      return choices === undefined
        ? []
        : [`    ${places}) COMPREPLY=($(compgen -W "${choices.join(' ')}" -- "$current")); return ;;`];
    }),
  );
  return lines.join('\n');
}

function zsh(commands: readonly Completed[]): string {
  const names = commands.map(({ name, summary }) => `    '${name}:${quoted(summary)}'`);
  const cases = commands.map(({ name, options, values }) => {
    const specs = options.flatMap(({ names, spec }) => {
      const value = spec.flags.includes('<') ? `:value:${valuesOf(spec)}` : '';
      return names.map((each) => `'${each}[${quoted(spec.summary)}]${value}'`);
    });
    const rest = values.length === 0 ? "'*:file:_files'" : `'1:value:(${values.join(' ')})'`;
    return `    ${name}) _arguments ${[...specs, rest].join(' ')} ;;`;
  });
  return `#compdef toolwright
# toolwright completion zsh > "\${fpath[1]}/_toolwright"
_toolwright() {
  local -a commands
  commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  local command="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$command" in
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = "_toolwright" ]; then _toolwright "$@"; else compdef _toolwright toolwright; fi`;
}

function valuesOf({ choices }: OptionSpec): string {
  return choices === undefined ? '_files' : `(${choices.join(' ')})`;
}

function quoted(text: string): string {
  return text.replaceAll("'", "'\\''").replaceAll(/[[\]:]/g, '\\$&');
}

function fish(commands: readonly Completed[]): string {
  const lines = commands.flatMap(({ name, summary, options, values }) => [
    `complete -c toolwright -n __fish_use_subcommand -f -a ${name} -d '${fishQuoted(summary)}'`,
    ...values.map(
      (value) => `complete -c toolwright -n '__fish_seen_subcommand_from ${name}' -f -a ${value}`,
    ),
    ...options.map(({ names, spec }) => {
      const flags = names.map((each) =>
        each.startsWith('--') ? `-l ${each.slice(2)}` : `-s ${each.slice(1)}`,
      );
      const value = spec.flags.includes('<')
        ? ` -r${spec.choices === undefined ? '' : ` -f -a '${spec.choices.join(' ')}'`}`
        : '';
      return `complete -c toolwright -n '__fish_seen_subcommand_from ${name}' ${flags.join(' ')}${value} -d '${fishQuoted(spec.summary)}'`;
    }),
  ]);
  return ['# toolwright completion fish > ~/.config/fish/completions/toolwright.fish', ...lines].join('\n');
}

function fishQuoted(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
}

function powershell(commands: readonly Completed[]): string {
  const cases = commands.map(
    ({ name, options, values }) =>
      `    '${name}' { @(${[...values, ...options.flatMap(({ names }) => names)].map((each) => `'${each}'`).join(', ')}) }`,
  );
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
