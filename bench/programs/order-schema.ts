import { z } from 'zod';

const itemSchema = z.strictObject({
  sku: z.string().min(1).max(40),
  quantity: z.int().min(1),
  price: z.number().min(0),
});

/** The rules of the order class, in zod. */
export const orderSchema = z.strictObject({
  id: z.int().min(1),
  customer: z.string().min(1).max(100),
  status: z.enum(['open', 'paid', 'sent']),
  note: z.string().max(500).optional(),
  items: z.array(itemSchema).min(1),
});
