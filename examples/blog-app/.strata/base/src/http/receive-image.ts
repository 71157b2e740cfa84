import type { Request, RequestHandler } from 'express'
import multer from 'multer'
import { AppError } from '../domain/app-error.js'
import { SaveError } from '../infra/uploads.js'

const maxBytes = 5 * 1024 * 1024
const imageExtension = /\.(?:jpe?g|png|gif)$/i

/** Small limits for other form fields, which the app ignores. */
const limits = { fileSize: maxBytes, files: 1, fields: 16, fieldSize: 1024 }

export interface ImageStore {
  /** Returns the new file's name. Throws SaveError. */
  save: (source: AsyncIterable<Uint8Array>, extension: string) => Promise<string>
  remove: (name: string) => Promise<void>
}

/**
 * Saves the file in the form field `image`; receivedName returns the file's name. Throws AppError if the file is
 * missing, not an image, too large or cannot be saved. A failed upload leaves no file.
 */
export function receiveImage(store: ImageStore): RequestHandler {
  const saves: Saves = new WeakMap()
  const storage = storageOf(store, saves)
  const receive = multer({ storage, limits, fileFilter: acceptImages }).single('image')
  return async (req, res, next) => {
    const error = await new Promise((resolve) => receive(req, res, resolve))
    // Multer reports an aborted form before the partial file is deleted.
    await saves.get(req)?.catch(() => {})
    if (error) throw toAppError(error)
    if (!req.file) throw new AppError('invalid', 'No file uploaded')
    next()
  }
}

/** Returns the name of the saved file. Throws if the route does not use receiveImage. */
export function receivedName({ file }: Request): string {
  if (!file) throw new Error('receivedName found no file: add receiveImage to the route')
  return file.filename
}

const acceptImages: multer.Options['fileFilter'] = (_req, { originalname }, done) => {
  if (imageExtension.test(originalname)) done(null, true)
  else done(new AppError('invalid', 'Invalid file type'))
}

/** Pending saves by request. */
type Saves = WeakMap<object, Promise<string>>

function storageOf(store: ImageStore, saves: Saves): multer.StorageEngine {
  return {
    _handleFile(req, { stream, originalname }, done) {
      const [extension = ''] = imageExtension.exec(originalname) ?? []
      const save = store.save(stream, extension)
      saves.set(req, save)
      save.then((filename) => done(null, { filename }), done)
    },
    _removeFile(_req, { filename }, done) {
      store.remove(filename).then(() => done(null), done)
    },
  }
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof SaveError) {
    return new AppError('failed', 'Failed to save file', { cause: error })
  }
  const { code = '' } = error as { code?: string }
  return faults[code]?.() ?? new AppError('invalid', 'the form is malformed', { cause: error })
}

/** Errors by Multer's code. */
const faults: Record<string, () => AppError> = {
  LIMIT_FILE_SIZE: () => new AppError('too-large', 'the file is too large'),
  LIMIT_FILE_COUNT: () => new AppError('invalid', 'the form must have exactly one file'),
  LIMIT_UNEXPECTED_FILE: () => new AppError('invalid', 'No file uploaded'),
}
