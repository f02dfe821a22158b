const keyless = /\/(oauth\/token(\/refresh)?|draft\/(submit|remove))$/

/** Whether the server looks at no Idempotency-Key of a call that pages make. */
export const isKeyless = (path: string): boolean => keyless.test(path)
