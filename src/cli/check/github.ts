import type { Problem } from '../../errors/problem-list.ts';

/** Annotations of GitHub Actions, one line each (docs: workflow commands, Setting an error message). */
export function githubAnnotations(problems: readonly Problem[], file: string): string {
  return problems
    .map(({ code, where, what, why, fix }) => {
      const reason = why === undefined ? '' : `\nwhy: ${why}`;
      const message = escapeData(`${where} ${what}${reason}\nfix: ${fix}`);
      return `::error file=${escapeProperty(file)},title=${escapeProperty(code)}::${message}`;
    })
    .join('\n');
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
