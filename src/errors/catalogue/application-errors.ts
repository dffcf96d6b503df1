export const applicationErrors = {
  TW_APPLICATION_INVALID: 'The application has problems; every one of them is listed in the error.',
  TW_APPLICATION_OPTION:
    'An option of McpApplication.create() does not exist, or has a value that it cannot have.',
  TW_APPLICATION_CLOSED: 'The application was closed and cannot serve any more.',
} as const;
