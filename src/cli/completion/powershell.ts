import type { CompletedCommand } from './completed.ts';

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
