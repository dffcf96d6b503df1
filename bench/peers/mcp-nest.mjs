import 'reflect-metadata';
import { Injectable, Module, UseInterceptors } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Payload } from '@nestjs/microservices';
import { MCP_STRATEGY, McpController, McpStrategy, StreamableHttpTransport, Tool } from '@rekog/mcp-nest';
import { announce } from './announce.mjs';
import { orderSchema } from './order-schema.mjs';
import { counter, DESCRIPTION, NAME, priceResult } from './order-tool.mjs';

/** What a compiler makes of decorators and of the types of a constructor. */
function decorate(decorators, target, property, injected) {
  const descriptor = property === undefined ? undefined : Object.getOwnPropertyDescriptor(target, property);
  if (injected !== undefined) Reflect.defineMetadata('design:paramtypes', injected, target);
  for (const decorator of decorators) decorator(target, property, descriptor);
}

class Prices {
  of(order) {
    return priceResult(order);
  }
}
decorate([Injectable()], Prices);

class Counting {
  intercept(_context, next) {
    counter.calls += 1;
    return next.handle();
  }
}
decorate([Injectable()], Counting);

class OrdersController {
  constructor(prices) {
    this.prices = prices;
  }

  async price(order) {
    return this.prices.of(order);
  }
}
const { prototype } = OrdersController;
Reflect.defineMetadata('design:paramtypes', [Object], prototype, 'price');
Payload()(prototype, 'price', 0);
decorate([Tool({ name: NAME, description: DESCRIPTION, parameters: orderSchema })], prototype, 'price');
decorate([McpController(), UseInterceptors(Counting)], OrdersController, undefined, [Prices]);

const mcp = new McpStrategy({
  name: 'orders',
  version: '1.0.0',
  transports: [new StreamableHttpTransport()],
});
class OrderModule {}
const providers = [Prices, Counting, { provide: MCP_STRATEGY, useValue: mcp }];
decorate([Module({ controllers: [OrdersController], providers })], OrderModule);

const app = await NestFactory.create(OrderModule, { logger: ['error'] });
mcp.setHttpAdapter(app.getHttpAdapter());
app.connectMicroservice({ strategy: mcp });
await app.startAllMicroservices();
await app.listen(0, '127.0.0.1');
announce(app.getHttpServer().address().port);
