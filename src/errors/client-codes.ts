/** The codes a client sees in an error result: code → what it means. */
export const clientCodes = Object.freeze({
  MISSING_DISCRIMINATOR: 'The call does not say which action to run.',
  INVALID_DISCRIMINATOR: 'The action is not a string.',
  VERSION_UNAVAILABLE: 'No version of the action is in the range that the call asks for.',
  VERSION_CONSTRAINT_INVALID: 'What the call says of versions is no range.',
  UNKNOWN_ACTION: 'The tool has no action of that name.',
  INVALID_ARGUMENTS: 'The arguments are not an object, or too large.',
  VALIDATION_FAILED: 'One or more fields are wrong, missing or unknown.',
  INTERNAL_ERROR: 'The handler or a middleware failed.',
  FAILED: 'A handler reported a failure, with error() and without a code of its own.',
  INVALID_OUTPUT: 'The handler returned something that breaks its declared output.',
  CONTEXT_FAILED: 'The context of the call could not be made.',
  UNKNOWN_TOOL: 'There is no tool of that name.',
  DETACHED: 'The tools are no longer served on this connection.',
  TIMED_OUT: 'The call took longer than its time limit.',
  CANCELLED: 'The call was cancelled before it finished.',
  MISSING_REQUIRED_FIELD: 'A handler reported that a field it needs is missing.',
  INVALID_ANSWER: 'The client answered a question of the handler with something else than was asked for.',
  CLIENT_CAPABILITY_MISSING: 'The handler has to ask the client for something that the client cannot do.',
  TASK_LIMIT: 'The call cannot become a task, because there are too many tasks already.',
  CLIENT_UNREACHABLE: 'The handler has to ask the client, which cannot be asked on this connection.',
  TRY_AGAIN_LATER: 'The server cannot take an answer to its question now, and can do so later.',
  REPLAY_DIVERGED: 'The handler took another way when it was run again with the answers.',
});

export type ClientCode = keyof typeof clientCodes;
