import type { Tag } from '../domain/tag.js'
import type { Repository } from './repository.js'

export type TagRepository = Repository<Tag>
