/** Basic header of our own page. */
export const webClient = `Basic ${Buffer.from('juxian-web:').toString('base64')}`

/** Headers of a person with this access token. */
export const bearer = (token: string): Record<string, string> => ({
  authorization: webClient,
  'blade-auth': `bearer ${token}`,
})
