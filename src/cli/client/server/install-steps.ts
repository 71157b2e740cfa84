import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { SettingValues } from '../../../../daemon/client/settings.ts'
import { checkSettings, keepSettings, keptSettings } from '../daemon/kept-settings.ts'
import { currentProgram, layout, placeIn } from './layout.ts'
import { copyPackage } from './package-files.ts'
import { findRecord, writeRecord } from './record.ts'
import { dataDirBelow, settingsPath } from './server-settings.ts'
import { fileStep, folderStep, linkStep, linkTarget, type Step } from './step.ts'

/** An installation: its inputs are decided before any file changes. */
export interface Installation {
  /** `/`, or the root folder of an image. */
  readonly root: string
  /** Folder of the package to install. */
  readonly packageDir: string
  readonly label: string
  readonly settings: SettingValues
  readonly unit: string
}

/** Returns the steps that put all files in place, in an order in which each may be the last one of a killed run. */
export function installSteps(installation: Installation): readonly Step[] {
  const { root, label, packageDir, settings, unit } = installation
  const at = (path: string) => placeIn(root, path)
  return [
    folderStep(at(layout.programs), 0o755),
    folderStep(at(layout.versions), 0o755),
    folderStep(at(layout.snapshots), 0o700),
    folderStep(dataDirBelow(root), 0o700),
    programStep(at(layout.versions), label, packageDir),
    linkStep(at(layout.current), join(layout.versions, label)),
    ...commandSteps(root),
    settingsStep(root, settings),
    fileStep(at(layout.unit), unit, 0o644),
    recordStep(root, label),
  ]
}

/** Copies a package into the folder of its version. A killed run leaves a folder whose name no version has. */
export function programStep(versions: string, label: string, packageDir: string): Step {
  const target = join(versions, label)
  return {
    text: `copy strata ${label} to ${target}`,
    isDone: () => existsSync(target),
    run() {
      const part = join(versions, `.part-${label}`)
      rmSync(part, { recursive: true, force: true })
      copyPackage(packageDir, part)
      renameSync(part, target)
    },
  }
}

/** Returns the commands whose place another program has: they stay as they are. */
export function occupiedCommands(root: string): string[] {
  return commandPaths(root).flatMap(({ path, target }) =>
    existsSync(path) && linkTarget(path) !== target ? [path] : [],
  )
}

function commandSteps(root: string): Step[] {
  const occupied = occupiedCommands(root)
  return commandPaths(root)
    .filter(({ path }) => !occupied.includes(path))
    .map(({ path, target }) => linkStep(path, target))
}

/** Returns the links that make the programs of the current version commands. */
export function commandPaths(root: string): { path: string; target: string }[] {
  return (['strata', 'stratad'] as const).map((name) => ({
    path: placeIn(root, join(layout.commands, name)),
    target: currentProgram(name),
  }))
}

function settingsStep(root: string, settings: SettingValues): Step {
  const dataDir = dataDirBelow(root)
  return {
    text: `write ${Object.keys(settings).length} settings to ${settingsPath(root)}`,
    isDone() {
      const kept = keptSettings(dataDir)
      return Object.entries(settings).every(([name, value]) => kept[name] === value)
    },
    async run() {
      checkSettings(dataDir, settings)
      await keepSettings(dataDir, settings)
    },
  }
}

function recordStep(root: string, label: string): Step {
  return {
    text: `write ${placeIn(root, layout.record)}`,
    isDone: () => findRecord(root)?.current === label,
    run: () => writeRecord({ current: label, previous: null, pending: null }, root),
  }
}
