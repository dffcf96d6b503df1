import { z } from 'zod';

const object = process.argv[3] === 'strict' ? z.strictObject : z.object;

// The tools of bench/servers/toolwright/repair.ts as a user of zod writes them: with plain objects, which drop unknown
// fields. Clients refuse unions at the root, so grouped actions are one object whose handler checks what each needs.

const ticket = object({
  title: z.string().min(3).max(80),
  priority: z.enum(['low', 'medium', 'high', 'urgent']),
  seats: z.int().min(1).max(50),
  budget: z.number().min(0).max(10_000),
  billable: z.boolean(),
});

const parcel = object({
  recipient: object({
    name: z.string().min(1).max(60),
    address: object({
      street: z.string().min(1).max(80),
      city: z.string().min(1).max(60),
      country: z.enum(['DE', 'FR', 'NL', 'PL']),
    }),
  }),
  weight: z.number().min(0.1).max(30),
  service: z.enum(['standard', 'express', 'overnight']),
});

const purchase = object({
  customer: z.string().min(1).max(60),
  currency: z.enum(['EUR', 'USD', 'GBP']),
  lines: z
    .array(
      object({
        sku: z.string().min(1).max(40),
        quantity: z.int().min(1).max(99),
        price: z.number().min(0),
      }),
    )
    .min(1),
});

const reminder = object({
  action: z.enum(['create', 'snooze', 'close']).describe('The action to run'),
  text: z.string().min(1).max(200).optional().describe('Required for create'),
  minutes: z.int().min(1).max(10_080).optional().describe('Required for create and snooze'),
  channel: z
    .discriminatedUnion('kind', [
      object({ kind: z.literal('email'), address: z.email() }),
      object({ kind: z.literal('sms'), phone: z.string().regex(/^\+\d{6,14}$/) }),
    ])
    .optional()
    .describe('Required for create'),
  id: z.int().min(1).optional().describe('Required for snooze and close'),
  reason: z.enum(['done', 'cancelled', 'duplicate']).optional().describe('Required for close'),
});

const search = object({
  query: z.string().min(1).max(100),
  limit: z.int().min(1).max(100).default(20),
  sort: z.enum(['newest', 'oldest', 'relevance']).default('newest'),
  archived: z.boolean().optional(),
  tags: z.array(z.string().max(30)).optional(),
});

const booking = object({
  roomId: z.string().regex(/^RM-\d{4}$/),
  day: z.iso.date(),
  start: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
  organizer: z.email(),
  requestId: z.uuid(),
});

const NEEDED = { create: ['text', 'minutes', 'channel'], snooze: ['id', 'minutes'], close: ['id', 'reason'] };

function textResult(text, isError = false) {
  return { content: [{ type: 'text', text }], ...(isError ? { isError } : {}) };
}

function echo(args) {
  return textResult(JSON.stringify(args));
}

function remind({ action, ...fields }) {
  const missing = NEEDED[action].filter((field) => fields[field] === undefined);
  if (missing.length > 0) {
    return textResult(missing.map((field) => `${field} is required for ${action}`).join('; '), true);
  }
  const own = Object.fromEntries(NEEDED[action].map((field) => [field, fields[field]]));
  return echo({ action, ...own });
}

/** Every tool gives back what it was called with. */
export const TOOLS = [
  { name: 'create_ticket', description: 'Creates a ticket', schema: ticket, run: echo },
  { name: 'ship_parcel', description: 'Ships a parcel', schema: parcel, run: echo },
  { name: 'place_order', description: 'Places an order', schema: purchase, run: echo },
  { name: 'search_notes', description: 'Searches the notes', schema: search, run: echo },
  { name: 'book_room', description: 'Books a room', schema: booking, run: echo },
  { name: 'reminders', description: 'Keeps reminders', schema: reminder, run: remind },
];
