import { priceOrder, TOOL } from '../dist/bench/order/sample-order.js';

export const NAME = TOOL;
export const DESCRIPTION = 'Prices an order';

/** What frameworks with middleware run around the call, and those without it as a call of their own. */
export const counter = { calls: 0 };

/** The result of the tool, in the form that MCP has. */
export function priceResult(order) {
  return { content: [{ type: 'text', text: JSON.stringify(priceOrder(order)) }] };
}

/** For frameworks that have no middleware. */
export function countedPriceResult(order) {
  counter.calls += 1;
  return priceResult(order);
}
