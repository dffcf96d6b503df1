import type { ListedTool } from './listed-tool.ts';

type Field = readonly [name: string, schema: Readonly<Record<string, unknown>>];

const text = (description: string): object => ({ type: 'string', minLength: 1, description });

const THINGS: readonly string[] = [
  ...[
    'account',
    'address',
    'agreement',
    'alert',
    'asset',
    'backup',
    'batch',
    'booking',
    'budget',
    'campaign',
  ],
  ...[
    'candidate',
    'carrier',
    'category',
    'certificate',
    'claim',
    'contact',
    'contract',
    'course',
    'customer',
  ],
  ...['delivery', 'deployment', 'device', 'discount', 'document', 'employee', 'event', 'expense', 'forecast'],
  ...['incident', 'inspection', 'invoice', 'lead', 'licence', 'location', 'meeting', 'order', 'payment'],
  ...['permit', 'policy', 'product', 'project', 'quote', 'refund', 'report', 'route', 'sensor', 'shift'],
  ...['shipment', 'subscription', 'supplier'],
];

/** What can be done with a thing: a name, a description with `{}` for the thing, what it takes, and its mark. */
const ACTS: readonly (readonly [string, string, readonly string[], 'read' | 'write' | 'destroy'])[] = [
  ['list', 'List {}s, newest first, optionally those in one state', ['state', 'limit', 'cursor'], 'read'],
  ['get', 'Show one {} with everything that is known about it', ['id'], 'read'],
  ['search', 'Find {}s by words in their title, notes or labels', ['query', 'limit'], 'read'],
  ['history', 'Show who changed a {} and when', ['id', 'since', 'limit'], 'read'],
  ['count', 'Count {}s by state for a period', ['since', 'until'], 'read'],
  ['export', 'Write {}s of a period to a file and give its address', ['since', 'until', 'format'], 'read'],
  ['create', 'Create a {} and give its id', ['title', 'owner', 'due', 'labels', 'priority'], 'write'],
  [
    'update',
    'Change the title, the due date or the priority of a {}',
    ['id', 'title', 'due', 'priority'],
    'write',
  ],
  ['assign', 'Make a person responsible for a {}', ['id', 'owner', 'notify'], 'write'],
  ['label', 'Put labels on a {}, in place of those it has', ['id', 'labels'], 'write'],
  ['comment', 'Write a note on a {} that colleagues can read', ['id', 'note', 'notify'], 'write'],
  ['attach', 'Attach a file to a {} by its address', ['id', 'url', 'title'], 'write'],
  ['approve', 'Approve a {} that waits for a decision', ['id', 'note'], 'write'],
  ['reject', 'Reject a {} and say why', ['id', 'reason', 'notify'], 'write'],
  ['copy', 'Make a copy of a {} with another title', ['id', 'title'], 'write'],
  ['share', 'Let a person or a team see a {}', ['id', 'owner', 'access'], 'write'],
  ['schedule', 'Set when work on a {} begins and ends', ['id', 'start', 'end'], 'write'],
  ['archive', 'Take a {} out of all lists without losing it', ['id', 'reason'], 'write'],
  ['restore', 'Bring an archived {} back', ['id'], 'write'],
  ['delete', 'Delete a {} for good, with its notes and files', ['id', 'reason'], 'destroy'],
];

const FIELDS = new Map<string, (thing: string) => object>([
  ['id', (thing) => ({ type: 'string', minLength: 1, maxLength: 40, description: `The id of the ${thing}` })],
  [
    'state',
    () => ({
      type: 'string',
      enum: ['open', 'waiting', 'done', 'archived'],
      description: 'Only those in this state',
    }),
  ],
  ['limit', () => ({ type: 'integer', minimum: 1, maximum: 100, description: 'How many at most' })],
  ['cursor', () => text('Where the last page ended')],
  ['query', () => text('Words to look for')],
  ['since', () => ({ type: 'string', format: 'date', description: 'The first day' })],
  ['until', () => ({ type: 'string', format: 'date', description: 'The last day' })],
  ['format', () => ({ type: 'string', enum: ['csv', 'xlsx', 'pdf'], description: 'The form of the file' })],
  ['title', (thing) => text(`What the ${thing} is called`)],
  ['owner', () => text('The id of a person or team')],
  ['due', () => ({ type: 'string', format: 'date', description: 'The day by which it has to be done' })],
  ['labels', () => ({ type: 'array', items: { type: 'string' }, description: 'Words to sort by' })],
  ['priority', () => ({ type: 'integer', minimum: 1, maximum: 5, description: '1 is the most urgent' })],
  ['notify', () => ({ type: 'boolean', description: 'Send a message to those concerned' })],
  ['note', () => text('What to tell colleagues')],
  ['url', () => ({ type: 'string', format: 'uri', description: 'The address of the file' })],
  ['reason', () => text('Why, in one sentence')],
  ['access', () => ({ type: 'string', enum: ['read', 'write'], description: 'What they may do' })],
  ['start', () => ({ type: 'string', format: 'date-time', description: 'When it begins' })],
  ['end', () => ({ type: 'string', format: 'date-time', description: 'When it ends' })],
]);

/** Fields that are left out at times, and what else some things have. */
const OPTIONAL = new Set([
  'state',
  'limit',
  'cursor',
  'until',
  'due',
  'labels',
  'priority',
  'notify',
  'note',
  'title',
]);
const SPECIAL: readonly Field[] = [
  ['region', { type: 'string', enum: ['north', 'south', 'east', 'west'], description: 'Which branch' }],
  ['currency', { type: 'string', pattern: '^[A-Z]{3}$', description: 'Three letters, such as EUR' }],
  ['amount', { type: 'number', minimum: 0, description: 'Net of tax' }],
  ['reference', text('The number on paper') as Field[1]],
];

/** A thousand tools with texts as people write them. @param seed another one gives other fields to other things */
export function generateTools(seed: number): readonly ListedTool[] {
  const random = randomNumbers(seed);
  return THINGS.flatMap((thing) => {
    const special = SPECIAL.filter(() => random() < 0.4);
    return ACTS.map(([act, description, fields, risk]): ListedTool => {
      const own = fields.map((name): Field => [name, FIELDS.get(name)?.(thing) as Field[1]]);
      const properties = Object.fromEntries([...own, ...(risk === 'write' ? special : [])]);
      const required = fields.filter((name) => !OPTIONAL.has(name) || random() < 0.3);
      return {
        name: `${thing}_${act}`,
        description: description.replaceAll('{}', thing),
        inputSchema: { type: 'object', properties, required },
        annotations: { readOnlyHint: risk === 'read', destructiveHint: risk === 'destroy' },
      };
    });
  });
}

/** Numbers from 0 to 1 that are the same for the same seed (a linear congruential generator). */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
