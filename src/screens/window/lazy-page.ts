import { type ComponentType, createElement, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { PageSkeleton } from './PageSkeleton.tsx'

/** Milliseconds after which a part of the application counts as not loadable. */
const TIMEOUT = 120_000

function failure(error: unknown): Error {
  const text = error instanceof Error ? error.message : String(error)
  const name = /css/i.test(text) ? 'CSS_CHUNK_LOAD_FAILED' : 'ChunkLoadError'
  return Object.assign(new Error(text, { cause: error }), { name })
}

/** Loads a part of the application. @throws ChunkLoadError or CSS_CHUNK_LOAD_FAILED, by name, also after 120 s. */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timeout')), TIMEOUT)
  })
  try {
    return await Promise.race([load(), late])
  } catch (error) {
    throw failure(error)
  } finally {
    clearTimeout(timer)
  }
}

const NAMES = ['ChunkLoadError', 'CSS_CHUNK_LOAD_FAILED']
/** How browsers word it where the load has no name of ours. */
const WORDS = /dynamically imported module|importing a module script|preload css/i

/** True for an error that a missing or unreachable part of the application raised. */
export function isLoadFailure(error: unknown): boolean {
  return error instanceof Error && (NAMES.includes(error.name) || WORDS.test(error.message))
}

const RELOADED = 'juxian-reloaded'
/** Milliseconds in which a window is not reloaded twice by itself. */
const ONCE = 600_000

/** Loads the window again where the server can be reached. Without a network the page at hand is better than none. */
export async function reload(): Promise<void> {
  const reached = await fetch(location.pathname, { method: 'HEAD' }).then(
    answer => answer.ok,
    () => false,
  )
  if (reached) location.reload()
}

/** A new version may have replaced a part: loading again, once, brings it. More would be a loop. */
export async function reloadOnce(): Promise<void> {
  const before = Number(sessionStorage.getItem(RELOADED))
  if (Date.now() - before < ONCE) return
  sessionStorage.setItem(RELOADED, String(Date.now()))
  await reload()
}

/**
 * Draws what has come at once. Left to its turn it would wait for all that is being drawn by and by, such as the tools of the
 * window: of two things that may wait React ends the one that it has begun.
 */
export function drawNow(change: () => void): void {
  flushSync(change)
}

/** A component that is loaded when first shown, or before. */
export interface Part<P> {
  /** Stands for the component from the start; a skeleton while it is not here. */
  Component: ComponentType<P>
  /** Brings it. Once here it is drawn at once, without the flash of a skeleton. */
  load: () => Promise<unknown>
}

/**
 * A part of the application by its module's default export. Without React's `lazy`: what waits for that is drawn in small
 * steps, and not before 300 ms after the skeleton that stood there, although nothing is left to wait for.
 */
export function lazyPart<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): Part<P> {
  let here: ComponentType<P> | undefined
  const bring = async (): Promise<void> => {
    here ??= (await loadPart(load)).default
  }
  function Component(props: P) {
    const [, arrive] = useState(here !== undefined)
    const [error, fail] = useState<unknown>()
    // Also where it is here by now: it may have come after the skeleton was drawn and before this is run.
    useEffect(() => void bring().then(() => drawNow(() => arrive(true)), fail), [])
    if (error) throw error
    return here ? createElement(here, props) : createElement(PageSkeleton)
  }
  return { Component, load: bring }
}
