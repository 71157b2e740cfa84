import type { Request, RequestHandler } from 'express'
import multer from 'multer'
import { AppError } from '../domain/app-error.js'
import { SaveError } from '../infra/uploads.js'

const maxBytes = 5 * 1024 * 1024
const imageExtension = /\.(?:jpe?g|png|gif)$/i

/** Other parts of the form are passed over, and need little room. */
const limits = { fileSize: maxBytes, files: 1, fields: 16, fieldSize: 1024 }

/** Where images are kept. */
export interface ImageStore {
  /** Gives the new file's name. Throws SaveError. */
  save: (source: AsyncIterable<Uint8Array>, extension: string) => Promise<string>
  remove: (name: string) => Promise<void>
}

/**
 * Saves the file `image` of a form; receivedName tells its name. Throws AppError where there is none, or one
 * that is no image, too large, or can't be saved: then nothing of it is left.
 */
export function receiveImage(store: ImageStore): RequestHandler {
  const saves: Saves = new WeakMap()
  const storage = storageOf(store, saves)
  const receive = multer({ storage, limits, fileFilter: refuseOthers }).single('image')
  return async (req, res, next) => {
    const error = await new Promise((resolve) => receive(req, res, resolve))
    // Multer tells of a form that breaks off before the half of the file is gone.
    await saves.get(req)?.catch(() => {})
    if (error) throw toAppError(error)
    if (!req.file) throw new AppError('invalid', 'No file uploaded')
    next()
  }
}

/** The name of what was saved, on a route behind receiveImage. */
export function receivedName({ file }: Request): string {
  if (!file) throw new Error('receiveImage must stand before this handler')
  return file.filename
}

const refuseOthers: multer.Options['fileFilter'] = (_req, { originalname }, done) => {
  if (imageExtension.test(originalname)) done(null, true)
  else done(new AppError('invalid', 'Invalid file type'))
}

/** What is being saved for a request. */
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

/** By Multer's codes. */
const faults: Record<string, () => AppError> = {
  LIMIT_FILE_SIZE: () => new AppError('too-large', 'the file is too large'),
  LIMIT_FILE_COUNT: () => new AppError('invalid', 'send one file'),
  LIMIT_UNEXPECTED_FILE: () => new AppError('invalid', 'No file uploaded'),
}
