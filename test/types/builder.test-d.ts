import { createTool } from 'toolwright';
import { z } from 'zod';

class Find {
  text!: string;
}
const branch = z.object({ branch: z.string() });

createTool('books')
  .commonSchema(branch)
  .action({ name: 'find', schema: Find, handler: (input) => [input.text.length, input.branch.length] })
  .action({ name: 'list', handler: (input) => input.branch.length })
  // @ts-expect-error: neither the action nor the tool has such a field
  .action({ name: 'drop', schema: Find, handler: ({ shelf }) => typeof shelf });

createTool('library')
  .commonSchema(branch)
  .group('books', (books) =>
    books.action({ name: 'find', schema: Find, handler: (input) => input.text + input.branch }),
  );

// @ts-expect-error: what the actions have in common is said before the first of them
createTool('late').action({ name: 'find', schema: Find, handler: ({ branch }) => typeof branch });
