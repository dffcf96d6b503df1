export const askErrors = {
  TW_ASK_SCHEMA: 'A schema has a field that no form of a client can show.',
  TW_ASK_URL: 'What a user was to be sent to is no absolute URL.',
} as const;
