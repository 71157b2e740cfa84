import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import libsql from 'libsql';
import { User } from './users/user.entity';
import { UsersModule } from './users/users.module';

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'better-sqlite3',
      // libsql has the API of better-sqlite3 and is prebuilt, so the install compiles nothing.
      driver: libsql,
      database: (process.env.DATABASE_URL ?? 'file:./dev.db').replace(/^file:/, ''),
      entities: [User],
      synchronize: true,
      enableWAL: Boolean(process.env.BENCH_WAL),
      ...(process.env.BENCH_WAL && {
        prepareDatabase: (db: { exec(sql: string): void }) => db.exec('PRAGMA synchronous = NORMAL'),
      }),
    }),
    UsersModule,
  ],
})
export class AppModule {}
