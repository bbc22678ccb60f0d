/** One store of a database of this browser. */
export interface StoredValues {
  /** Runs one request in a transaction of its own, and resolves once it is durable. Rejects where the browser allows no database. */
  run<Value>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<Value>): Promise<Value>;
}

/** Opens the database at the first request, and again if the browser has closed it or could not open it. */
export function storedValues(databaseName: string, storeName: string): StoredValues {
  let opened: Promise<IDBDatabase> | undefined;
  const forget = () => {
    opened = undefined;
  };
  const open = () => {
    opened ??= openDatabase(databaseName, storeName, forget).catch((error: unknown) => {
      forget();
      throw error;
    });
    return opened;
  };
  return {
    async run(mode, ask) {
      const transaction = (await open()).transaction(storeName, mode);
      const request = ask(transaction.objectStore(storeName));
      return new Promise((resolve, reject) => {
        transaction.oncomplete = () => resolve(request.result);
        transaction.onabort = () => reject(transaction.error ?? new Error('aborted'));
      });
    },
  };
}

function openDatabase(name: string, storeName: string, onClosed: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    request.onsuccess = () => {
      const database = request.result;
      // The browser closes a database whose data is cleared. A newer page asks to close it.
      database.onclose = onClosed;
      database.onversionchange = () => {
        database.close();
        onClosed();
      };
      resolve(database);
    };
    request.onerror = () => reject(request.error ?? new Error('no database'));
    request.onblocked = () => reject(new Error('blocked'));
  });
}
