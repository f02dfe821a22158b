/*
 * Runs in a release after npm has installed: removes what no program reads from the packages — source maps, type declarations,
 * their tests and documentation. Licences stay.
 */
import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'

const unread = /\.map$|\.d\.[cm]?ts$/
const unreadFolders = new Set(['.github', '.yarn', 'benchmarks', 'docs', 'examples', 'test', 'tests'])

/** Goes through a folder of packages; folders by those names are only meant where a package begins. */
function trimPackages(folder) {
  for (const { name } of readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isDirectory())) {
    const place = path.join(folder, name)
    if (name.startsWith('@')) trimPackages(place)
    else trimPackage(place)
  }
}

function trimPackage(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name)
    if (entry.name === 'node_modules') trimPackages(place)
    else if (entry.isDirectory() && unreadFolders.has(entry.name)) rmSync(place, { recursive: true })
    else if (entry.isDirectory()) trimFiles(place)
    else if (unread.test(entry.name)) rmSync(place)
  }
}

function trimFiles(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && unread.test(entry.name)) rmSync(path.join(entry.parentPath ?? entry.path, entry.name))
}

trimPackages(path.join(import.meta.dirname ?? '.', 'node_modules'))
