import { Injectable, NotFoundException } from '@nestjs/common';
import { Prisma } from '../generated/prisma/client';
import { PrismaService } from '../prisma/prisma.service';
import { ListPostsDto } from './dto/list-posts.dto';

const author = { select: { id: true, name: true } };

@Injectable()
export class PostsService {
  constructor(private readonly prisma: PrismaService) {}

  async findAll({ page, page_size, published, author_id, tag, search }: ListPostsDto) {
    const where: Prisma.PostWhereInput = {
      published,
      author_id,
      ...(tag && { tags: { some: { slug: tag } } }),
      ...(search && {
        OR: [{ title: { contains: search } }, { content: { contains: search } }],
      }),
    };
    const [posts, total] = await Promise.all([
      this.prisma.post.findMany({
        where,
        include: { author, tags: true },
        orderBy: [{ created_at: 'desc' }, { id: 'desc' }],
        skip: (page - 1) * page_size,
        take: page_size,
      }),
      this.prisma.post.count({ where }),
    ]);
    return { posts, total, page, page_size };
  }

  async findOne(id: number) {
    try {
      return await this.prisma.post.update({
        where: { id },
        data: { views: { increment: 1 } },
        include: {
          author,
          tags: true,
          comments: { include: { author }, orderBy: { id: 'asc' } },
        },
      });
    } catch (error) {
      if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2025') {
        throw new NotFoundException(`Post #${id} not found`);
      }
      throw error;
    }
  }
}
