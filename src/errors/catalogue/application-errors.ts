export const applicationErrors = {
  TW_APPLICATION_INVALID: 'The application has problems; every one of them is listed in the error.',
  TW_APPLICATION_OPTION:
    'An option of an application or of a call to it does not exist, or has a value that it cannot have.',
  TW_TESTING_OPTION: 'An option of the test kit does not exist, or has a value that it cannot have.',
  TW_APPLICATION_CLOSED: 'The application was closed and cannot serve any more.',
} as const;
