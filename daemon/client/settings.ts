// Re-exported for `strata daemon start` and `strata daemon config`, which keep the daemon's settings in its data folder.
export { ConfigError, loadConfig, secretSettingNames, settingNames } from '../config.ts'
export { changeConfigFile, configPath, readConfigFile, type SettingValues } from '../config-file.ts'
