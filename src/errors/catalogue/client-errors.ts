export const clientErrors = {
  TW_CLIENT_ANSWER: 'A server gave an answer that does not have the form of the protocol.',
  TW_CLIENT_CONNECTION: 'A client could not reach its server, or lost it.',
  TW_CLIENT_OPTION: 'An option of a client is unknown, or has a value that it cannot have.',
  TW_CLIENT_TIMEOUT: 'A server did not answer in time.',
  TW_CLIENT_UNAUTHORIZED: 'A server refused a client that it does not know, or that may not call it.',
} as const;
