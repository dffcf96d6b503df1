import { Logger, ValidationPipe, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ShopModule } from './shop.module.ts';

/** The shop with its settings, which both entries need. */
export async function createShop(): Promise<INestApplication> {
  Logger.overrideLogger(['error', 'warn']);
  const shop = await NestFactory.create(ShopModule);
  shop.setGlobalPrefix('api', { exclude: ['health'] });
  shop.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }));
  shop.enableShutdownHooks();
  return shop;
}
