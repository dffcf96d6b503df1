import { LIST_NAMES, placesOf, valuedOptions, type CompletedCommand } from './completed.ts';

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
${placesOf(commands, 'names').map(namesAt).join('\n')}`;
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
