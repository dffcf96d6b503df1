import { WorkflowError } from '../../domain/errors/workflow-error.ts';

const owner = 'SqliteRunStore';

export function wrongOption(option: string, message: string): WorkflowError<'TW_WORKFLOW_OPTION'> {
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
