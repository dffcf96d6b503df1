import { WorkflowError } from '../../domain/errors/workflow-error.ts';

const IN_MEMORY = ':memory:';

/**
 * The URL of a SQLite file at a path.
 * @throws WorkflowError `TW_WORKFLOW_OPTION` for a path that names no file
 */
export function fileUrlOf(path: string): string {
  // Apart from these, the driver takes a path as it is
  const escaped = path.replaceAll(/[%?#]/g, (sign) => encodeURIComponent(sign));
  // What follows two slashes would be a host
  return checkFileUrl(escaped.startsWith('//') ? `file://${escaped}` : `file:${escaped}`);
}

/** @throws WorkflowError `TW_WORKFLOW_OPTION` for what is not a URL of a file */
export function checkFileUrl(url: string): string {
  if (!url.startsWith('file:')) {
    const scheme = /^[a-z]*:?/.exec(url)?.[0];
    throw wrongOption('url', `The url of a SqliteRunStore begins with "file:", not with "${scheme}".`);
  }
  const path = /^file:(?:\/\/[^/?#]*)?([^?#]*)/.exec(url)?.[1] ?? '';
  if (path === '' || path === IN_MEMORY) throw notDurable();
  return url;
}

const owner = 'SqliteRunStore';

function wrongOption(option: string, message: string): WorkflowError<'TW_WORKFLOW_OPTION'> {
  return new WorkflowError('TW_WORKFLOW_OPTION', {
    where: `${owner}, option ${option}`,
    message,
    details: { option },
    suggestions: [`new ${owner}({ url: 'file:runs.db' })`],
  });
}

/** SQLite takes such a place, and forgets everything as soon as it is closed. */
export function notDurable(): WorkflowError<'TW_WORKFLOW_OPTION'> {
  return wrongOption('url', 'The url of a SqliteRunStore names a file: without one, nothing would be kept.');
}
