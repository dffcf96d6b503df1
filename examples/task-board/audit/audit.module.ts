import { Module } from 'toolwright';
import { AuditTrail } from './audit-trail.ts';
import { AuditController } from './audit.controller.ts';
import { Clock } from './clock.ts';

@Module({ controllers: [AuditController], providers: [AuditTrail, Clock], exports: [AuditTrail] })
export class AuditModule {}
