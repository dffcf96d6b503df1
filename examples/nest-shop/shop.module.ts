import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Module,
  Param,
  ParseIntPipe,
  Patch,
  Post,
  Query,
  UseGuards,
} from '@nestjs/common';
import { RolesGuard, Staff, TokenGuard } from './guards.ts';
import {
  CustomerChanges,
  FindOrders,
  FindProducts,
  NewCustomer,
  NewOrder,
  NewProduct,
  NewReview,
  ProductChanges,
  SearchOrders,
} from './inputs.ts';
import { ShopStore, type Customer, type Order, type Product, type Review } from './store.ts';

@Controller('products')
@UseGuards(TokenGuard, RolesGuard)
class ProductsController {
  constructor(private readonly store: ShopStore) {}

  @Get() find(@Query() { text = '', maxCents = Infinity }: FindProducts): readonly Product[] {
    return this.store.products.all().filter(({ name, cents }) => name.includes(text) && cents <= maxCents);
  }
  @Get(':id') read(@Param('id', ParseIntPipe) id: number): Product {
    return this.store.products.read(id);
  }
  @Post() @Staff() create(@Body() product: NewProduct): Product {
    return this.store.products.add(product);
  }
  @Patch(':id') @Staff() change(
    @Param('id', ParseIntPipe) id: number,
    @Body() changes: ProductChanges,
  ): Product {
    return this.store.products.change(id, changes);
  }
  @Delete(':id') @HttpCode(204) @Staff() remove(@Param('id', ParseIntPipe) id: number): void {
    this.store.products.remove(id);
  }
  @Get(':id/reviews') reviews(@Param('id', ParseIntPipe) id: number): readonly Review[] {
    return this.store.reviews.filter(({ productId }) => productId === id);
  }
  @Post(':id/reviews') review(@Param('id', ParseIntPipe) id: number, @Body() review: NewReview): Review {
    const { stars, text } = review;
    const added = { productId: this.store.products.read(id).id, stars, text };
    this.store.reviews.push(added);
    return added;
  }
}

@Controller('orders')
@UseGuards(TokenGuard, RolesGuard)
class OrdersController {
  constructor(private readonly store: ShopStore) {}

  @Get() list(@Query() { state }: FindOrders): readonly Order[] {
    return this.store.orders.all().filter((order) => state === undefined || order.state === state);
  }
  @Get(':id') read(@Param('id', ParseIntPipe) id: number): Order {
    return this.store.orders.read(id);
  }
  @Post() create(@Body() { customerId, productIds }: NewOrder): Order {
    this.store.customers.read(customerId);
    for (const id of productIds) this.store.products.read(id);
    return this.store.orders.add({ customerId, productIds, state: 'open' });
  }
  @Post('search') @HttpCode(200) search(@Body() { productIds }: SearchOrders): readonly Order[] {
    return this.store.orders.all().filter((order) => productIds.every((id) => order.productIds.includes(id)));
  }
  @Post(':id/pay') @HttpCode(200) pay(@Param('id', ParseIntPipe) id: number): Order {
    return this.store.close(id, 'paid');
  }
  @Post(':id/cancel') @HttpCode(200) cancel(@Param('id', ParseIntPipe) id: number): Order {
    return this.store.close(id, 'cancelled');
  }
  @Get(':id/invoice') invoice(@Param('id', ParseIntPipe) id: number): string {
    const { productIds } = this.store.orders.read(id);
    const cents = productIds.reduce((sum, each) => sum + this.store.products.read(each).cents, 0);
    return `Order ${String(id)}: ${(cents / 100).toFixed(2)} euros`;
  }
}

@Controller('customers')
@UseGuards(TokenGuard, RolesGuard)
@Staff()
class CustomersController {
  constructor(private readonly store: ShopStore) {}

  @Get() list(): readonly Customer[] {
    return this.store.customers.all();
  }
  @Get(':id') read(@Param('id', ParseIntPipe) id: number): Customer {
    return this.store.customers.read(id);
  }
  @Post() create(@Body() customer: NewCustomer): Customer {
    return this.store.customers.add(customer);
  }
  @Patch(':id') change(@Param('id', ParseIntPipe) id: number, @Body() changes: CustomerChanges): Customer {
    return this.store.customers.change(id, changes);
  }
  @Delete(':id') @HttpCode(204) remove(@Param('id', ParseIntPipe) id: number): void {
    this.store.customers.remove(id);
  }
  @Get(':id/orders') orders(@Param('id', ParseIntPipe) id: number): readonly Order[] {
    return this.store.orders.all().filter(({ customerId }) => customerId === id);
  }
}

@Controller()
class HealthController {
  @Get('health') health(): string {
    return 'ok';
  }
}

@Module({
  controllers: [ProductsController, OrdersController, CustomersController, HealthController],
  providers: [ShopStore, TokenGuard, RolesGuard],
})
export class ShopModule {}
