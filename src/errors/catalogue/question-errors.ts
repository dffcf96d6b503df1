export const questionErrors = {
  TW_QUESTION_NAME: 'The name of a question or step is empty or no text.',
  TW_QUESTION_OPTION: 'An option of a question is unknown, or has a value that it cannot have.',
  TW_STEP_RESULT: 'A step gave a value that JSON does not carry.',
  TW_STEP_NESTED: 'A question was asked, or a step begun, by the function of a step.',
  TW_REPLAY_DIVERGED: 'A handler took another way when it was run again with the answers of the client.',
  TW_JOURNAL_SIZE: 'What a call has to remember while it waits for an answer is too large.',
  TW_ONCE_STORE_FULL: 'The store of answered questions in memory is full.',
} as const;
