export const contentErrors = {
  TW_CONTENT_INVALID: 'A content helper was given something that no client could read.',
} as const;
