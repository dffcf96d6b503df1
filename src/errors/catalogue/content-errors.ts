export const contentErrors = {
  TW_CONTENT_INVALID: 'A content helper was given something that no client could read.',
  TW_RESULT_NOT_DATA: 'A value that is to be sent has something in it that JSON does not carry.',
  TW_MIDDLEWARE_RETURNED_NOTHING: 'A middleware called next() and returned nothing of what came back.',
} as const;
