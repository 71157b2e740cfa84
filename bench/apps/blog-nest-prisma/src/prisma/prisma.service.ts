import { Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { PrismaLibSql } from '@prisma/adapter-libsql';
import { PrismaClient } from '../generated/prisma/client';

@Injectable()
export class PrismaService extends PrismaClient implements OnModuleInit, OnModuleDestroy {
  constructor() {
    super({ adapter: new PrismaLibSql({ url: process.env.DATABASE_URL ?? 'file:./dev.db' }) });
  }

  async onModuleInit() {
    await this.$connect();
    if (process.env.BENCH_WAL) {
      await this.$queryRaw`PRAGMA journal_mode = WAL`;
      await this.$queryRaw`PRAGMA synchronous = NORMAL`;
    }
  }

  async onModuleDestroy() {
    await this.$disconnect();
  }
}
