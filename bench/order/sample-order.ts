/** The tool that every server offers. */
export const TOOL = 'price_order';

interface PricedItem {
  readonly quantity: number;
  readonly price: number;
}

export interface Price {
  readonly id: number;
  readonly pieces: number;
  readonly total: number;
}

export function sampleOrder(): Record<string, unknown> {
  const items = [1, 2, 3].map((number) => ({
    sku: `sku-${number}`,
    quantity: number,
    price: 9.5 * number + 0.25,
  }));
  return { id: 7, customer: 'Ada Lovelace', status: 'open', note: 'ring twice', items };
}

/** What the tool does, the same in every server. */
export function priceOrder(order: { readonly id: number; readonly items: readonly PricedItem[] }): Price {
  const { id, items } = order;
  const pieces = items.reduce((sum, { quantity }) => sum + quantity, 0);
  const total = items.reduce((sum, { quantity, price }) => sum + quantity * price, 0);
  return { id, pieces, total };
}

/** The price of the sample: 9.75 + 2 * 19.25 + 3 * 28.75. */
export const EXPECTED: Price = Object.freeze({ id: 7, pieces: 6, total: 134.5 });

/** A text that is in the answer and not in the call. */
export const MARK = '134.5';
