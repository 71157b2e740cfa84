// A server that answers each request with an id of its own.
package main

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/google/uuid"
)

func main() {
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "go %s\n", uuid.New())
	})
	address := net.JoinHostPort(os.Getenv("HOST"), os.Getenv("PORT"))
	log.Fatal(http.ListenAndServe(address, nil))
}
