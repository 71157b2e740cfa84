import { serveJobs } from '../harness/load-process.ts'
import { runLoad } from './load.ts'

serveJobs(runLoad)
