import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';

export interface Product {
  readonly id: number;
  readonly name: string;
  readonly cents: number;
}

export interface Review {
  readonly productId: number;
  readonly stars: number;
  readonly text: string;
}

export interface Order {
  readonly id: number;
  readonly customerId: number;
  readonly productIds: readonly number[];
  readonly state: 'open' | 'paid' | 'cancelled';
}

export interface Customer {
  readonly id: number;
  readonly name: string;
  readonly email: string;
}

/** The rows of one kind. */
class Table<Row extends { readonly id: number }> {
  readonly #rows = new Map<number, Row>();

  constructor(...rows: readonly Row[]) {
    for (const row of rows) this.#rows.set(row.id, row);
  }

  all(): readonly Row[] {
    return [...this.#rows.values()];
  }

  read(id: number): Row {
    const row = this.#rows.get(id);
    if (row === undefined) throw new NotFoundException(`nothing has the id ${String(id)}`);
    return row;
  }

  add(row: Omit<Row, 'id'>): Row {
    const id = Math.max(0, ...this.#rows.keys()) + 1;
    const added = { ...row, id } as Row;
    this.#rows.set(id, added);
    return added;
  }

  change(id: number, changes: Partial<Row>): Row {
    const changed = { ...this.read(id), ...changes };
    this.#rows.set(id, changed);
    return changed;
  }

  remove(id: number): void {
    this.read(id);
    this.#rows.delete(id);
  }
}

@Injectable()
export class ShopStore {
  readonly products = new Table<Product>(
    { id: 1, name: 'Lamp', cents: 4900 },
    { id: 2, name: 'Chair', cents: 12_900 },
  );
  readonly customers = new Table<Customer>({ id: 1, name: 'Ada', email: 'ada@shop.example' });
  readonly orders = new Table<Order>();
  readonly reviews: Review[] = [];

  /** An order that is open takes a new state. */
  close(id: number, state: 'paid' | 'cancelled'): Order {
    if (this.orders.read(id).state !== 'open') throw new ConflictException(`order ${String(id)} is not open`);
    return this.orders.change(id, { state });
  }
}
