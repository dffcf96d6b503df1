/** What the worked example of grouped tools is to come to, however the tool was written. */
export const BOOKS_SCHEMA = {
  type: 'object',
  properties: {
    action: {
      type: 'string',
      enum: ['find', 'add', 'edit', 'drop', 'ping'],
      description: 'The action to run',
    },
    branch: { type: 'string', description: 'Branch code. (always required)' },
    verbose: { type: 'boolean', description: 'For: find, add, edit, drop, ping' },
    text: { type: 'string', description: 'Search text. Required for: find. For: edit' },
    max: { type: 'number', description: 'Page size. For: find, edit' },
    isbn: { type: 'string', description: 'Required for: add, edit, drop' },
    state: { type: 'string', enum: ['new', 'used', 'lost'], description: 'For: add, edit' },
  },
  required: ['action', 'branch'],
};

export const BOOKS_DESCRIPTION = [
  'Manage books. Actions: find, add, edit, drop, ping',
  '',
  'Workflow:',
  "- 'find': Search the catalogue. Requires: text",
  "- 'add': Add a copy. Requires: isbn",
  "- 'edit': Requires: isbn",
  "- 'drop': Requires: isbn ⚠️ DESTRUCTIVE",
].join('\n');
