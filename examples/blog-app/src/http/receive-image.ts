import type { Request, Response } from 'express'
import multer from 'multer'
import { AppError } from '../domain/app-error.js'
import { SaveError } from '../infra/uploads.js'

const maxBytes = 5 * 1024 * 1024
const imageExtension = /\.(?:jpe?g|png|gif)$/i

/** The first bytes of each type of image, in Latin-1. */
const signatures: Record<string, readonly string[]> = {
  '.jpg': ['\xff\xd8\xff'],
  '.jpeg': ['\xff\xd8\xff'],
  '.png': ['\x89PNG\r\n\x1a\n'],
  '.gif': ['GIF87a', 'GIF89a'],
}
const signatureBytes = 8

/** Small limits for other form fields, which the app ignores. */
const limits = { fileSize: maxBytes, files: 1, fields: 16, fieldSize: 1024 }

export interface ImageStore {
  /** Returns the new file's name. Throws SaveError, or the error of `source`. */
  save: (source: AsyncIterable<Uint8Array>, extension: string) => Promise<string>
  remove: (name: string) => Promise<void>
}

/**
 * Saves the file in the form field `image` and returns its new name. Throws AppError if the file is missing, not an
 * image, too large or cannot be saved. It does not wait for the rest of a refused file, and leaves nothing of it.
 */
export async function receiveImage(
  req: Request,
  res: Response,
  store: ImageStore,
): Promise<string> {
  const saves: Promise<string>[] = []
  try {
    await new Promise<void>((resolve, reject) => {
      const storage: multer.StorageEngine = {
        _handleFile(_req, file, done) {
          const save = saveImage(store, file)
          saves.push(save)
          save.then(
            () => done(null),
            (error: unknown) => {
              // Multer passes errors on only when the client has sent the whole request.
              reject(error)
              done(error)
            },
          )
        },
        _removeFile: (_req, _file, done) => done(null),
      }
      const receive = multer({ storage, limits }).any()
      receive(req, res, (error: unknown) => (error ? reject(error) : resolve()))
    })
    const [save] = saves
    if (!save) throw noFile()
    return await save
  } catch (error) {
    const [save] = await Promise.allSettled(saves)
    if (save?.status === 'fulfilled') await store.remove(save.value)
    // Multer reports an error of its own for a file that is refused before its end.
    throw toAppError(save?.status === 'rejected' ? save.reason : error)
  }
}

async function saveImage(
  store: ImageStore,
  { fieldname, originalname, stream }: Express.Multer.File,
): Promise<string> {
  if (fieldname !== 'image') throw noFile()
  const [extension] = imageExtension.exec(originalname) ?? []
  if (!extension) throw invalidType()
  stream.once('limit', () => stream.destroy(new AppError('too-large', 'the file is too large')))
  return store.save(checkImage(stream, extension), extension)
}

/** Passes the chunks on. Throws AppError if the first bytes do not fit the extension. */
async function* checkImage(stream: AsyncIterable<Buffer>, extension: string) {
  const expected = signatures[extension.toLowerCase()] ?? []
  let isImage = false
  let head = Buffer.alloc(0)
  for await (const chunk of stream) {
    if (isImage) {
      yield chunk
      continue
    }
    head = Buffer.concat([head, chunk])
    isImage = expected.some((bytes) => head.toString('latin1').startsWith(bytes))
    if (isImage) yield head
    else if (head.length >= signatureBytes) throw invalidType()
  }
  if (!isImage) throw invalidType()
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof SaveError) {
    return new AppError('failed', 'Failed to save file', { cause: error })
  }
  const isSecondFile = error instanceof multer.MulterError && error.code === 'LIMIT_FILE_COUNT'
  const message = isSecondFile ? 'the form must have exactly one file' : 'the form is malformed'
  return new AppError('invalid', message, { cause: error })
}

function noFile(): AppError {
  return new AppError('invalid', 'No file uploaded')
}

function invalidType(): AppError {
  return new AppError('invalid', 'Invalid file type')
}
