export const serverErrors = {
  TW_SERVER_LISTEN: 'The HTTP server could not listen on its host and port.',
  TW_SERVER_MOUNT: 'Something was handed over that is no request of node:http.',
  TW_SERVER_OPTION: 'An option of a server is unknown, or has a value that it cannot have.',
  TW_SERVER_STDIO_TAKEN: 'Standard output already serves a connection and can serve only one.',
  TW_SERVER_TRANSPORT: 'Something was connected that is no transport.',
} as const;
