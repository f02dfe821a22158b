import fp from 'fastify-plugin'

/**
 * Reads what an address carries. Of a key given twice the last value counts: no handler ever meets a list where it expects a
 * text. A token in the address, as some clients send it with downloads, proves nothing here: no handler and no log reads it.
 */
export function parseQuery(text: string): Record<string, string> {
  const { 'blade-auth': _token, ...query } = Object.fromEntries(new URLSearchParams(text))
  return query
}

/** In a call that reads, an empty value asks for nothing; clients send every input of a search form, filled or not. */
export default fp(
  async app => {
    app.addHook('onRequest', async request => {
      if (request.method !== 'GET') return
      const query = request.query as Record<string, string>
      for (const name of Object.keys(query)) if (query[name] === '') delete query[name]
    })
  },
  { name: 'query' },
)
