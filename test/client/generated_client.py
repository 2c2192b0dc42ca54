"""Calls a service through the generated package `openapi_client`.

Arguments: address, key. Standard input: JSON list of {operationId, query, status}. Standard output:
JSON list of what went otherwise than the row says; each model checks types, required keys and lists.
"""
import inspect
import json
import re
import sys

import openapi_client
from openapi_client import api

configuration = openapi_client.Configuration(host=sys.argv[1])
configuration.api_key["apiKey"] = sys.argv[2]
client = openapi_client.ApiClient(configuration)
methods = {
    name: method
    for _, kind in inspect.getmembers(api, inspect.ismodule)
    for _, one in inspect.getmembers(kind, inspect.isclass)
    if one.__name__.endswith("Api")
    for name, method in inspect.getmembers(one(client), inspect.ismethod)
}


def snake(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


wrong = []
for row in json.load(sys.stdin):
    given = {snake(name): value for name, value in row["query"].items()}
    try:
        answer = methods[snake(row["operationId"])](**given)
        status = 200
        if answer is None:
            wrong.append([row["operationId"], "no answer"])
    except openapi_client.ApiException as error:
        status = error.status
        if "error" not in json.loads(error.body):
            wrong.append([row["operationId"], "no text"])
    except Exception as error:
        wrong.append([row["operationId"], repr(error)])
        continue
    if status != row["status"]:
        wrong.append([row["operationId"], status])
json.dump(wrong, sys.stdout)
