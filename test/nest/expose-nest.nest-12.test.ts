import { describeNest } from './describe-nest.ts';

describeNest(12, 'express');
describeNest(12, 'fastify');
